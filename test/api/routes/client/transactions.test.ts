import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentId, TenantId } from '../../../../domain/ids.ts';
import type { RewardRuleInput } from '../../../../domain/reward-rule.ts';
import { type AlphaPaymentOptions, aRule, aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import { aTill, decisionAbout } from '../../../support/points/payments.ts';

let tenantId: TenantId;
let token: string;
let pay: (payment: AlphaPaymentOptions) => Promise<PaymentId>;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  pay = await aTill(db, tenantId);
});

const get = (path: string, by = token) =>
  app.call({ path: `/api/v1/client/tenants/${tenantId}/transactions${path}`, token: by });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);

async function aKnownEmail(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  return email;
}

describe('GET …/transactions', () => {
  it('200 with the outcome of each payment, newest first', async () => {
    const email = await aKnownEmail();
    const anonymous = await pay({ id: `P1_${tenantId}`, amount: 700 });
    await aRule(db, tenantId, { conversionRate: 0.5 });
    const credited = await pay({ amount: 1000, tip: 100, email });
    const { id: walletId, userId } = await db('wallets').where({ tenantId }).first('id', 'userId');

    const { status, body } = await get('');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: credited,
        provider: 'alpha',
        providerPaymentId: expect.any(String),
        amountMinorUnits: 1000,
        currency: 'EUR',
        occurredAt: '2026-01-15T10:00:00.086Z',
        outcome: 'credited',
        outcomeReason: null,
        pointsAwarded: 500,
        refundedMinorUnits: 0,
        pointsReversed: 0,
        pointsOwed: 0,
        locationId: 'LOC_1',
        consumer: { userId, email: `${email[0]}***@example.com`, phone: null },
        walletId,
        ruleVersion: 1,
        createdAt: time,
      },
      expect.objectContaining({
        id: anonymous,
        providerPaymentId: `P1_${tenantId}`,
        amountMinorUnits: 700,
        outcome: 'stored_anonymous',
        outcomeReason: 'no_contacts',
        pointsAwarded: 0,
        consumer: null,
        walletId: null,
        ruleVersion: null,
      }),
    ]);
  });

  it('200 with what was refunded and taken back, as the summary also tells', async () => {
    await aRule(db, tenantId);
    const email = await aKnownEmail();
    const id = await pay({ amount: 1000, refunded: 400, email });
    expect((await get('')).body).toMatchObject([
      { id, pointsAwarded: 1000, refundedMinorUnits: 400, pointsReversed: 400 },
    ]);
    const { body } = await get(`/${id}/explain`);
    const summary = '1000 points were credited, of which 400 were taken back after a refund.';
    expect(body).toMatchObject({
      pointsAwarded: 1000,
      summary,
      coded: { summary: { code: 'earned', params: { points: 1000, takenBack: 400 } } },
    });
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('200 page by page, each payment once, while others are ingested', async () => {
    const made = [await pay({}), await pay({}), await pay({})];
    const first = await get('?limit=2');
    await pay({});
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(nextPath(second)).toBeUndefined();
    const ids = [first, second].flatMap((page) =>
      page.json<{ id: string }[]>().map(({ id }) => id),
    );
    expect(ids).toEqual(made.toReversed());
  });

  it('200 without payments of another tenant', async () => {
    await (await aTill(db, await aTenant(db)))({});
    expect((await get('')).body).toEqual([]);
  });

  it.each(['?limit=0', '?limit=x', '?cursor=x'])('400 VALIDATION_ERROR for %s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });
});

describe('GET …/transactions/:transactionId', () => {
  it('200 with what the list says of it, 404 for an unknown one and one of another', async () => {
    const id = await pay({ email: await aKnownEmail() });
    const [listed] = (await get('')).json<object[]>();
    expect(await get(`/${id}`)).toMatchObject({ status: 200, body: listed });
    for (const other of [await (await aTill(db, await aTenant(db)))({}), randomUUID()]) {
      expect(await get(`/${other}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});

describe('GET …/transactions/:transactionId/explain', () => {
  it.each<{
    of: string;
    rule: Partial<RewardRuleInput> | null;
    pays: AlphaPaymentOptions;
    isKnown: boolean;
    outcome: string;
    reason: string | null;
    says: string;
  }>([
    {
      of: 'credited',
      rule: {},
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'credited',
      reason: null,
      says: '10 points were credited.',
    },
    {
      of: 'capped',
      rule: { maxPointsPerTransaction: 4 },
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'credited',
      reason: null,
      says: '4 points were credited.',
    },
    {
      of: 'zero_amount',
      rule: {},
      pays: { amount: 0 },
      isKnown: true,
      outcome: 'credited',
      reason: 'zero_amount',
      says: 'the amount was zero',
    },
    {
      of: 'below_minimum',
      rule: { minSpendMinorUnits: 11 },
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'credited',
      reason: 'below_minimum',
      says: 'at least 0.11 EUR',
    },
    {
      of: 'rounded_to_zero',
      rule: { conversionRate: 0.01 },
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'credited',
      reason: 'rounded_to_zero',
      says: 'less than a point',
    },
    {
      of: 'capped_to_zero',
      rule: { maxPointsPerTransaction: 0 },
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'credited',
      reason: 'capped_to_zero',
      says: 'no more than 0 points',
    },
    {
      of: 'no_rule',
      rule: null,
      pays: { amount: 10 },
      isKnown: true,
      outcome: 'no_rule_no_credit',
      reason: 'no_rule',
      says: 'no reward rule',
    },
    {
      of: 'no_match',
      rule: {},
      pays: { email: 'nobody@example.com' },
      isKnown: false,
      outcome: 'stored_anonymous',
      reason: 'no_match',
      says: 'nobody is known',
    },
    {
      of: 'no_contacts',
      rule: {},
      pays: {},
      isKnown: false,
      outcome: 'stored_anonymous',
      reason: 'no_contacts',
      says: 'neither an e-mail nor a phone',
    },
  ])('200 for $of', async ({ rule, pays, isKnown, outcome, reason, says }) => {
    if (rule !== null) await aRule(db, tenantId, rule);
    const id = await pay({ ...pays, ...(isKnown && { email: await aKnownEmail() }) });
    const decision = await decisionAbout(db, id);

    const { status, body } = await get(`/${id}/explain`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      transactionId: id,
      outcome,
      outcomeReason: reason,
      summary: expect.stringContaining(says),
      steps: expect.arrayContaining([expect.stringMatching(/^The payment was of /)]),
    });
    // The decision is returned as recorded, in full.
    expect(body).toHaveProperty('decision', decision);
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('200 with the rule in effect at the time, whatever was published since', async () => {
    await aRule(db, tenantId, { conversionRate: 2 });
    const id = await pay({ amount: 10, email: await aKnownEmail() });
    await aRule(db, tenantId, { conversionRate: 3 });
    const { body } = await get(`/${id}/explain`);
    expect(body).toMatchObject({ ruleVersion: 1, pointsAwarded: 20 });
    expect(JSON.stringify(body)).toContain('10 × 2 = 20.');
  });

  it('404 NOT_FOUND for an unknown payment and for one of another tenant', async () => {
    const foreign = await (await aTill(db, await aTenant(db)))({});
    for (const id of [foreign, randomUUID(), 'not-an-id']) {
      expect(await get(`/${id}/explain`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    }
  });
});

it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
  const id = await pay({});
  const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
  const other = await app.signIn({ role: 'client', member: await aTenant(db) });
  for (const path of ['', `/${id}/explain`]) {
    expect(await get(path, operator.token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
    expect(await get(path, other.token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  }
});
