import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { settleSums } from '../../../../db/tenants/campaigns.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { aCampaign, aRule, aTenant, aUser, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import { aTill, decisionAbout } from '../../../support/points/payments.ts';

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let token: string;
let userId: UserId;
let path: string;
let sell: Awaited<ReturnType<typeof aTill>>;
let email: string;
beforeEach(async () => {
  tenantId = await aTenant(db, { country: 'DE' });
  ({ token, userId } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/campaigns`;
  await aRule(db, tenantId, { conversionRate: 0.1 });
  sell = await aTill(db, tenantId);
  email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
});

const publish = (body: unknown) => app.call({ method: 'POST', path, token, body });
const end = (id: string) => app.call({ method: 'POST', path: `${path}/${id}/end`, token });
const show = async (id: string) => (await app.call({ path: `${path}/${id}`, token })).body;
const pointsOf = async (id: string) =>
  required(await db('payments').where({ id }).first<{ pointsAwarded: number }>()).pointsAwarded;
/** Rings a sale of 1250 minor units, which earns 125 by the rule, and returns its points. */
const ring = async (some: Parameters<typeof sell>[0] = {}) => {
  const id = await sell({ email, amount: 1_250, createdAt: new Date(), ...some });
  return { id, points: await pointsOf(id) };
};

describe('POST /client/tenants/:tenantId/campaigns', () => {
  it('201 with every field; the shop then has a programme', async () => {
    const { status, body } = await publish({ name: 'Summer', multiplier: 1.5 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Summer',
      status: 'running',
      multiplier: 1.5,
      points: null,
      startsAt: expect.stringMatching(/^\d{4}-/),
      endsAt: null,
      days: null,
      hours: null,
      minSpendMinorUnits: 0,
      audience: 'all',
      budgetPoints: null,
      spentPoints: 0,
      awards: 0,
      publishedAt: expect.stringMatching(/Z$/),
      endedAt: null,
    });
    const shop = await db('tenants').where('id', tenantId).first('timeZone', 'hasProgramme');
    expect(shop).toEqual({ timeZone: null, hasProgramme: true });
    expect(await show(String(Reflect.get(Object(body), 'id')))).toEqual(body);
  });

  it('201 with hours sets the clocks of the shop, 400 where nobody knows them', async () => {
    const happy = { name: 'Happy hour', multiplier: 2, hours: { from: '15:00', to: '18:00' } };
    expect((await publish(happy)).status).toBe(201);
    const shop = await db('tenants').where('id', tenantId).first('timeZone');
    expect(shop).toEqual({ timeZone: 'Europe/Berlin' });
    await db('tenants').where('id', tenantId).update({ timeZone: null, country: 'US' });
    expect(await publish({ ...happy, days: [1] })).toMatchObject({
      status: 400,
      body: { issues: [{ path: '', code: 'time_zone_required' }] },
    });
  });

  it('201 with an entry of who published what', async () => {
    await publish({ name: 'First visit', points: 50, minSpendMinorUnits: 50 });
    expect(await db('audit_log').where({ tenantId }).first()).toMatchObject({
      action: 'campaign.publish',
      actorUserId: userId,
      targetType: 'campaign',
      before: {},
      after: { name: 'First visit', points: 50, multiplier: null, minSpendMinorUnits: 50 },
    });
  });

  it('400 too_generous, and 422 too_many_campaigns beyond twenty that have not ended', async () => {
    const issues = (code: string) => ({ issues: [{ path: '', code }] });
    const generous = await publish({ name: 'Gift', points: 50, minSpendMinorUnits: 49 });
    expect(generous).toMatchObject({ status: 400, body: issues('too_generous') });
    const first = await aCampaign(db, tenantId);
    for (let nth = 1; nth < 20; nth++) await aCampaign(db, tenantId);
    const next = { name: 'More', multiplier: 2 };
    expect(await publish(next)).toMatchObject({ status: 422, body: issues('too_many_campaigns') });
    await end(first);
    expect((await publish(next)).status).toBe(201);
  });
});

describe('GET /client/tenants/:tenantId/campaigns', () => {
  it('lists the newest first, page by page', async () => {
    const ids = [await aCampaign(db, tenantId), await aCampaign(db, tenantId)];
    await aCampaign(db, await aTenant(db));
    const all = await app.call({ path, token });
    expect(all.json<{ id: string }[]>().map(({ id }) => id)).toEqual(ids.toReversed());
    const first = await app.call({ path: `${path}?limit=1`, token });
    const second = await app.call({ path: required(nextPath(first)), token });
    expect(second.json<{ id: string }[]>().map(({ id }) => id)).toEqual([ids[0]]);
  });
});

describe('POST /client/tenants/:tenantId/campaigns/:campaignId/end', () => {
  it('200 once and again; sales of before still get it, later ones do not', async () => {
    const id = await aCampaign(db, tenantId);
    const soldAt = new Date(Date.now() + 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = await end(id);
    expect(ended).toMatchObject({ status: 200, body: { status: 'ended' } });
    expect((await end(id)).body).toEqual(ended.body);
    expect(await db('audit_log').where({ tenantId, action: 'campaign.end' })).toHaveLength(1);
    expect(await ring({ createdAt: soldAt })).toMatchObject({ points: 250 });
    expect(await ring()).toMatchObject({ points: 125 });
    const other = await aCampaign(db, await aTenant(db));
    expect((await end(other)).status).toBe(404);
  });
});

describe('what a sale gets', () => {
  it('is in its decision, and is explained', async () => {
    const doubled = await aCampaign(db, tenantId, { name: 'Summer', multiplier: 2 });
    const welcome = { name: 'First visit', points: 50, minSpendMinorUnits: 50 };
    const added = await aCampaign(db, tenantId, { ...welcome, audience: 'first_purchase' });
    const { id, points } = await ring();
    expect(points).toBe(300);
    expect(await decisionAbout(db, id)).toMatchObject({
      awards: {
        base: 125,
        campaigns: [
          { id: doubled, kind: 'multiplier', multiplier: 2, points: 125 },
          { id: added, kind: 'bonus', points: 50 },
        ],
      },
      earning: { points: 300, rounded: 125 },
    });
    const explained = await app.call({
      path: `/api/v1/client/tenants/${tenantId}/transactions/${id}/explain`,
      token,
    });
    expect(JSON.stringify(explained.body)).toContain(
      'The campaign “Summer” multiplies it by 2: 1250 × 0.1 × 2 = 250 instead of 125.',
    );
    expect(JSON.stringify(explained.body)).toContain('The campaign “First visit” adds 50 points.');
    expect(await show(added)).toMatchObject({ spentPoints: 50, awards: 1 });
    expect((await ring()).points).toBe(250);
  });

  it('goes back to the budget in proportion when it is refunded', async () => {
    await aRule(db, tenantId, { conversionRate: 0.1, maxPointsPerTransaction: 200 });
    const added = await aCampaign(db, tenantId, { points: 12, minSpendMinorUnits: 12 });
    const { id } = await ring({ id: 'E9', amount: 1_255 });
    expect(await show(added)).toMatchObject({ spentPoints: 12 });
    await ring({ id: 'E9', amount: 1_255, refunded: 628, updatedAt: new Date(Date.now() + 1_000) });
    expect(await show(added)).toMatchObject({ spentPoints: 6, awards: 1 });
    // The refund fails after all.
    await ring({ id: 'E9', amount: 1_255, refunded: 0, updatedAt: new Date(Date.now() + 2_000) });
    expect(await show(added)).toMatchObject({ spentPoints: 12, awards: 1 });
    const rows = await db('campaign_awards').where({ paymentId: id }).orderBy('createdAt');
    expect(rows).toMatchObject([
      { cause: 'award', points: 12 },
      { cause: 'refund', points: -6 },
      { cause: 'refund', points: 6 },
    ]);
  });

  it('ends with the budget, and begins again with what comes back', async () => {
    const id = await aCampaign(db, tenantId, {
      points: 30,
      minSpendMinorUnits: 30,
      budgetPoints: 100,
    });
    const bought: number[] = [];
    for (let nth = 0; nth < 5; nth++) bought.push((await ring({ id: `E10-${nth}` })).points);
    expect(bought).toEqual([155, 155, 155, 155, 125]);
    expect(await show(id)).toMatchObject({ spentPoints: 120, awards: 4, status: 'exhausted' });
    await ring({ id: 'E10-0', refunded: 1_250, updatedAt: new Date(Date.now() + 1_000) });
    expect(await show(id)).toMatchObject({ spentPoints: 90, status: 'running' });
    expect((await ring()).points).toBe(155);
  });

  it('is of the campaign that was published first, of equal ones', async () => {
    const [first] = [await aCampaign(db, tenantId), await aCampaign(db, tenantId)];
    const { id } = await ring();
    expect(await decisionAbout(db, id)).toMatchObject({
      awards: { campaigns: [{ id: first, points: 125 }] },
    });
  });

  it('is added up from time to time, without anything else changing', async () => {
    const id = await aCampaign(db, tenantId, { points: 30, minSpendMinorUnits: 30 });
    await ring();
    const before = await show(id);
    expect(await settleSums(db)).toBe(0);
    expect(await show(id)).toEqual(before);
    await settleSums(db, 0);
    expect(await db('campaign_sums').where({ campaignId: id })).toMatchObject([{ points: 30 }]);
    expect(await show(id)).toEqual(before);
    await ring();
    expect(await show(id)).toMatchObject({ spentPoints: 60, awards: 2 });
  });

  it('goes by the clocks of the shop', async () => {
    // Twelve hours ahead of UTC all year.
    await db('tenants').where('id', tenantId).update({ timeZone: 'Asia/Kamchatka' });
    const isMorningThere = new Date().getUTCHours() >= 12;
    const [morning, afternoon] = [
      { from: '00:00', to: '12:00' },
      { from: '12:00', to: '24:00' },
    ];
    await aCampaign(db, tenantId, { hours: isMorningThere ? morning : afternoon });
    expect((await ring()).points).toBe(250);
  });

  it('is nothing for a sale before it, or that arrives a week late', async () => {
    await aCampaign(db, tenantId);
    expect((await ring({ createdAt: new Date(Date.now() - 120_000) })).points).toBe(125);
  });
});

describe('GET /consumer/wallets/:walletId/programme', () => {
  it('names the running campaigns that this customer can still get', async () => {
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    const welcome = { name: 'Welcome', points: 500, minSpendMinorUnits: 500 };
    const ada = await app.signIn({ role: 'consumer', email });
    await ring();
    const wallet = required(
      await db('wallets').where({ tenantId, userId: ada.userId }).first<{ id: string }>('id'),
    );
    await aCampaign(db, tenantId, { ...welcome, audience: 'first_purchase' });
    const startsAt = new Date(Date.now() + 60_000).toISOString();
    await aCampaign(db, tenantId, { name: 'Later', multiplier: 2, startsAt });
    const id = await aCampaign(db, tenantId, { ...welcome, name: 'Big shop', days: [1, 2, 7] });
    const seen = await app.call({
      path: `/api/v1/consumer/wallets/${wallet.id}/programme`,
      token: ada.token,
    });
    const text =
      '500 points on top for each purchase of 5.00 EUR or more on Monday, Tuesday and Sunday.';
    expect(seen.body).toMatchObject({
      validityMonths: null,
      returnWindowDays: 0,
      campaigns: [{ id, name: 'Big shop', text, endsAt: null }],
    });
  });
});
