import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import { settleSums } from '../../../../db/tenants/campaigns.ts';
import type { CampaignId, PaymentId } from '../../../../domain/ids.ts';
import { aCampaign, aRule, aTenant, aUser } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';

// What campaigns gave is in three places: the decision of a sale, the rows of it, and the sums.

const { db, owner } = await useUnverifiedDatabase();

let campaignId: CampaignId;
let otherId: CampaignId;
let id: PaymentId;
beforeEach(async () => {
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  campaignId = await aCampaign(db, tenantId, { points: 30, minSpendMinorUnits: 30 });
  otherId = await aCampaign(db, await aTenant(db));
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const sell = await aTill(db, tenantId);
  const sale = { id: randomUUID(), email, amount: 100, createdAt: new Date() };
  id = await sell(sale);
  await sell({ ...sale, refunded: 50, updatedAt: new Date(Date.now() + 1_000) });
  await settleSums(db, 0);
});

/** Does what the owner of the tables could do with the triggers switched off. */
async function forge(statement: string): Promise<void> {
  await owner.transaction(async (tx) => {
    const triggers = (change: string) =>
      tx.raw(`alter table campaign_awards ${change} trigger user;
        alter table payments ${change} trigger user`);
    await triggers('disable');
    await tx.raw(statement, { id, campaignId, otherId });
    await triggers('enable');
  });
}

async function problems(): Promise<string[]> {
  const { violations } = await verifyLedger(db);
  const its = violations.filter(({ problem }) =>
    [id, campaignId].some((one) => problem.includes(one)),
  );
  return its.map(({ problem }) => problem.replace(id, 'X').replace(campaignId, 'C'));
}

describe('what campaigns gave', () => {
  it('agrees', async () => {
    expect(await problems()).toEqual([]);
  });

  it.each([
    [
      'points of the decision',
      `update payments set decision = jsonb_set(decision, '{awards,campaigns,0,points}', '29')
       where id = :id`,
      'payment X was awarded other points than its decision says',
    ],
    [
      'the points of the rule in it',
      `update payments set decision = jsonb_set(decision, '{awards,base}', '99') where id = :id`,
      'payment X was awarded other points than its decision says',
    ],
    [
      'a row that is missing',
      `delete from campaign_awards where payment_id = :id and cause = 'award'`,
      'payment X has other campaign awards than its decision says',
    ],
    [
      'a row of another campaign',
      `update campaign_awards set campaign_id = :otherId
       where payment_id = :id`,
      'payment X has other campaign awards than its decision says',
    ],
    [
      'what a refund took',
      `update campaign_awards set points = -14 where payment_id = :id and cause = 'refund'`,
      'payment X has other campaign points taken back than its refunds took',
    ],
  ])('is found wrong by %s', async (_, statement, problem) => {
    await forge(statement);
    expect(await problems()).toContain(problem);
  });

  it.each([
    ['points', 'points = points + 1', '15 points by 1 awards'],
    ['number of sales', 'awards = awards - 1', '15 points by 1 awards'],
  ])('is found wrong by the %s that are added up', async (_, change, given) => {
    await forge(`update campaign_sums set ${change} where campaign_id = :campaignId`);
    expect(await problems()).toEqual([expect.stringContaining(`campaign C gave ${given}`)]);
  });
});
