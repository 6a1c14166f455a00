import { describe, expect, it } from 'vitest';
import * as rewardRules from '../../../db/tenants/reward-rules.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { RewardRuleInput } from '../../../domain/reward-rule.ts';
import { aRule, aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const page = { limit: 50 };
const versions = async (tenantId: TenantId, before?: number, limit = 50) =>
  (await rewardRules.list(db, tenantId, { limit, before })).map(({ version }) => version);

describe('publish', () => {
  it('creates the next version, with decimals as they were written', async () => {
    const [tenantId, createdBy] = [await aTenant(db), await aUser(db, { role: 'client' })];
    const input = RewardRuleInput.parse({
      conversionRate: 0.000001,
      minSpendMinorUnits: 1,
      maxPointsPerTransaction: 2,
      minBalanceToRedeem: 3,
      maxRedemptionPercentage: 33.333333,
      roundingPolicy: 'round',
    });
    const effectiveFrom = new Date('2026-01-15T10:00:00.123Z');

    const rule = await db.transaction((tx) =>
      rewardRules.publish(tx, { ...input, effectiveFrom, tenantId, createdBy }),
    );

    expect(rule).toMatchObject({
      tenantId,
      version: 1,
      conversionRate: '0.000001',
      minSpendMinorUnits: 1,
      maxPointsPerTransaction: 2,
      minBalanceToRedeem: 3,
      maxRedemptionPercentage: '33.333333',
      roundingPolicy: 'round',
      effectiveFrom,
    });
    expect(await rewardRules.list(db, tenantId, page)).toEqual([rule]);
  });

  it('takes effect when it is published, unless the rule says otherwise', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const [rule] = await rewardRules.list(db, tenantId, page);
    expect(rule?.effectiveFrom).toEqual(rule?.createdAt);
  });

  it('stores the highest rate and cap that a rule may have', async () => {
    const tenantId = await aTenant(db);
    const most = { conversionRate: 1_000_000, maxPointsPerTransaction: 2 ** 31 - 1 };
    await aRule(db, tenantId, most);
    expect(await rewardRules.list(db, tenantId, page)).toMatchObject([
      { conversionRate: '1000000.000000', maxPointsPerTransaction: 2 ** 31 - 1 },
    ]);
  });

  it('creates twenty versions when twenty calls run at once', async () => {
    const tenantId = await aTenant(db);
    await Promise.all(Array.from({ length: 20 }, () => aRule(db, tenantId)));
    expect(await versions(tenantId)).toEqual(Array.from({ length: 20 }, (_, index) => 20 - index));
  });
});

describe('list', () => {
  it('lists only that tenant’s rules, newest first, page by page', async () => {
    const [tenantId, other] = [await aTenant(db), await aTenant(db)];
    for (let count = 0; count < 5; count++) await aRule(db, tenantId);
    await aRule(db, other);
    expect(await versions(tenantId, undefined, 2)).toEqual([5, 4]);
    expect(await versions(tenantId, 4, 2)).toEqual([3, 2]);
    expect(await versions(tenantId, 2, 2)).toEqual([1]);
    expect(await versions(tenantId, 1)).toEqual([]);
    expect(await versions(other)).toEqual([1]);
  });
});

describe('the table of rules', () => {
  it.each([
    ['update', 'update reward_rules set version = 9'],
    ['update of no row', 'update reward_rules set version = 9 where false'],
    ['delete', 'delete from reward_rules'],
    ['truncate', 'truncate reward_rules'],
  ])('refuses every %s, also by its owner', async (_, statement) => {
    await aRule(db, await aTenant(db));
    await expect(database.owner.raw(statement)).rejects.toThrow(/rows are never changed/);
  });
});
