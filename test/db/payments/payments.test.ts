import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as payments from '../../../db/payments/payments.ts';
import { PaymentId } from '../../../domain/ids.ts';
import { aRule, aTenant, aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

describe('listOfTenant', () => {
  it('lists the last stored first, page by page, also those of one moment', async () => {
    const tenantId = await aTenant(db);
    const pay = await aTill(db, tenantId);
    const made: PaymentId[] = [];
    for (let nth = 0; nth < 5; nth++) made.push(await pay({ amount: nth }));
    const [oldest, ...others] = made;
    await db('payments').whereIn('id', others).update({ createdAt: '2030-01-01T00:00:00.000001Z' });

    const seen: PaymentId[] = [];
    for (let after: PaymentId | undefined; ; ) {
      const page = await payments.listOfTenant(db, tenantId, { limit: 2, after });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
      after = seen.at(-1);
    }
    expect([...seen].sort()).toEqual([...made].sort());
    expect(seen.at(-1)).toBe(oldest);
  });

  it('lists nothing of another tenant, nor after one of its payments', async () => {
    const [own, other] = [await aTenant(db), await aTenant(db)];
    const after = await (await aTill(db, other))({});
    await (await aTill(db, own))({});
    expect(await payments.listOfTenant(db, own, { limit: 10 })).toHaveLength(1);
    expect(await payments.listOfTenant(db, own, { limit: 10, after })).toEqual([]);
  });
});

describe('areDecided', () => {
  it('tells of each payment whether it is matched, in the order asked', async () => {
    const [own, other] = [await aTenant(db), await aTenant(db)];
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    const pay = await aTill(db, own);
    const ids = [await pay({ amount: 11 }), await pay({ amount: 12, email })];
    const keyOf = async (id: PaymentId) => {
      const { provider, providerPaymentId } = await db('payments').where({ id }).first();
      return { tenantId: own, provider, providerPaymentId };
    };
    const [anonymous, matched] = [await keyOf(required(ids[0])), await keyOf(required(ids[1]))];
    const foreign = { ...matched, tenantId: other };
    const asked = [matched, anonymous, foreign, matched];
    expect(await payments.areDecided(db, asked)).toEqual([true, false, false, true]);
    expect(await payments.areDecided(db, [])).toEqual([]);
  });
});

describe('find', () => {
  it('finds a payment with its decision record, for its own tenant only', async () => {
    const [own, other] = [await aTenant(db), await aTenant(db)];
    await aRule(db, own, { conversionRate: 0.5 });
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    const id = await (await aTill(db, own))({ amount: 11, email });

    expect(await payments.find(db, own, id)).toMatchObject({
      id,
      outcome: 'credited',
      pointsAwarded: 5,
      ruleVersion: 1,
      decision: { earning: { exact: '5.5', rounded: 5, points: 5 } },
    });
    expect(await payments.find(db, other, id)).toBeUndefined();
    expect(await payments.find(db, own, PaymentId.parse(randomUUID()))).toBeUndefined();
  });
});
