import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { findOwners } from '../../../db/connections/tenures.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();
let one: TenantId;
let two: TenantId;
let merchantId: string;
beforeEach(async () => {
  [one, two] = [await aTenant(db, { country: 'CH' }), await aTenant(db)];
  merchantId = `M-${randomUUID()}`;
});

const sealed = testSealer.seal('token', { tenantId: 't', provider: 'beta', field: 'access_token' });
const connect = (tenantId: TenantId, account = merchantId, on = db) =>
  posConnections.connect(on, {
    tenantId,
    merchantId: account,
    provider: 'beta',
    sealedAccessToken: sealed,
    sealedRefreshToken: null,
    tokenExpiresAt: null,
  });
async function disconnect(tenantId: TenantId, on = db): Promise<void> {
  const { id } = required(await on('pos_connections').where({ tenantId }).first());
  await posConnections.disconnect(on, tenantId, id);
}
const tenures = (account = merchantId) =>
  db('account_tenures')
    .where({ merchantId: account })
    .orderBy('id')
    .select<{ tenantId: TenantId; earnsFrom: Date; endedAt: Date | null }[]>(
      'tenantId',
      'earnsFrom',
      'endedAt',
    );
const WEEK_MS = 7 * 86_400_000;
const earlier = (date: Date, ms: number) => new Date(date.getTime() - ms);
const ownerAt = async (occurredAt: Date) =>
  (await findOwners(db, [{ provider: 'beta', merchantId, occurredAt }]))[0]?.tenantId;

describe('a tenure', () => {
  it('begins a week before the connection, and ends with it', async () => {
    await connect(one);
    const { createdAt } = required(await db('pos_connections').where({ tenantId: one }).first());
    expect(await tenures()).toEqual([
      { tenantId: one, earnsFrom: earlier(createdAt, WEEK_MS), endedAt: null },
    ]);
    await disconnect(one);
    const { updatedAt } = required(await db('pos_connections').where({ tenantId: one }).first());
    expect(await tenures()).toMatchObject([{ endedAt: updatedAt }]);
  });

  it('goes on when the account is connected once more, or its token is refused', async () => {
    await connect(one);
    const [first] = await tenures();
    await db('pos_connections')
      .where({ tenantId: one })
      .update({ needsReconnectSince: new Date() });
    await connect(one);
    expect(await tenures()).toEqual([first]);
  });

  it('begins for another account, and ends for the one before', async () => {
    await connect(one);
    const other = `M-${randomUUID()}`;
    await connect(one, other);
    expect(await tenures()).toMatchObject([{ endedAt: expect.any(Date) }]);
    expect(await tenures(other)).toMatchObject([{ tenantId: one, endedAt: null }]);
  });

  it('begins when that of another tenant has ended, even if it waited for that', async () => {
    await connect(one);
    const waiting = await db.transaction(async (tx) => {
      await disconnect(one, tx);
      const waits = connect(two);
      const locks = async () =>
        (
          await db.raw(`select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock'`)
        ).rows.length;
      await expect.poll(locks).toBe(1);
      return { waits };
    });
    await waiting.waits;
    const [former, present] = await tenures();
    expect(present).toEqual({ tenantId: two, earnsFrom: former?.endedAt, endedAt: null });
    await disconnect(two);
    await connect(one);
    const [, ended, back] = await tenures();
    expect(back?.earnsFrom).toEqual(ended?.endedAt);
  });

  it('is never deleted', async () => {
    await connect(one);
    await expect(db('account_tenures').where({ merchantId }).delete()).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('findOwners', () => {
  it('finds who had the account, from the beginning on and before the end', async () => {
    await connect(one);
    await disconnect(one);
    await connect(two);
    const [first, second] = await tenures();
    const [begun, moved] = [required(first).earnsFrom, required(second).earnsFrom];
    expect(await ownerAt(begun)).toBe(one);
    expect(await ownerAt(earlier(begun, 1))).toBeUndefined();
    expect(await ownerAt(earlier(moved, 1))).toBe(one);
    expect(await ownerAt(moved)).toBe(two);
    expect(await ownerAt(new Date('2100-01-01'))).toBe(two);
    await disconnect(two);
    expect(await ownerAt(new Date('2100-01-01'))).toBeUndefined();
  });

  it('answers in the order of the sales, with the country by which phones are read', async () => {
    await connect(one);
    const of = (merchant: string, occurredAt = new Date()) =>
      ({ provider: 'beta', merchantId: merchant, occurredAt }) as const;
    const sales = [of('NOBODY'), of(merchantId), of(merchantId, new Date(0)), of(merchantId)];
    const owner = { tenantId: one };
    expect(await findOwners(db, sales)).toEqual([undefined, owner, undefined, owner]);
    expect(await findOwners(db, [])).toEqual([]);
  });
});
