import { describe, expect, it } from 'vitest';
import * as auditLog from '../../../db/audit-log.ts';
import { sumAdjusted } from '../../../db/ledger/adjusted.ts';
import type { UserId } from '../../../domain/ids.ts';
import { aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { adjustedAt } from '../../support/points/adjustments.ts';

const { db } = await useDatabase();

describe('the sums of adjustments', () => {
  const adjust = (points: number, admin: UserId, at = new Date()) =>
    adjustedAt(db, admin, points, at);
  const sumOf = (id: UserId) => db.transaction((tx) => sumAdjusted(tx, id));

  it('are of one administrator, credits and debits apart', async () => {
    const [admin, other] = [await aUser(db), await aUser(db)];
    for (const points of [5, -3, 70, -20]) await adjust(points, admin);
    await adjust(1_000, other);
    await db.transaction((tx) =>
      auditLog.insert(tx, {
        ...auditLog.byUser(admin, 'request-1'),
        action: 'wallet.freeze',
        targetType: 'wallet',
        targetId: null,
        tenantId: null,
        reason: null,
        before: {},
        after: { points: 9 },
      }),
    );
    expect(await sumOf(admin)).toEqual({ credited: 75, debited: 23 });
    expect(await sumOf(await aUser(db))).toEqual({ credited: 0, debited: 0 });
  });

  it('forget what is older than 24 hours, to the minute', async () => {
    const admin = await aUser(db);
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await adjust(1, admin, ago(24 * 60 + 1));
    await adjust(20, admin, ago(24 * 60 - 1));
    await adjust(300, admin);
    expect(await sumOf(admin)).toEqual({ credited: 320, debited: 0 });
  });
});
