import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../../../activities/index.ts';
import { RehearsalReportSchema } from '../../../../api/resources/rehearsal.ts';
import * as rehearsals from '../../../../db/tenants/rehearsals.ts';
import { RehearsalId, type TenantId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const begun: string[] = [];
const app = await useApp({ orchestrator: { rehearseLater: (id) => void begun.push(id) } });
const { db } = app;
const activities = createActivities(activityDeps(db));

const DAY_MS = 86_400_000;
let tenantId: TenantId;
let token: string;
let path: string;
let sell: Awaited<ReturnType<typeof aTill>>;
beforeEach(async () => {
  begun.splice(0);
  tenantId = await aTenant(db, { country: 'DE' });
  ({ token } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/rehearsals`;
  sell = await aTill(db, tenantId);
});

const rule = { conversionRate: 0.2 };
const begin = (body: object = { rule }) => app.call({ method: 'POST', path, token, body });
const show = async (id: string) =>
  RehearsalReportSchema.parse((await app.call({ path: `${path}/${id}`, token })).body);
const customer = async () => {
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  return email;
};
/** Sales are dated by their provider. */
async function soldYesterday(...sales: Parameters<typeof sell>[0][]) {
  for (const each of sales) await sell(each);
  const occurredAt = new Date(Date.now() - DAY_MS);
  await db('payments').where({ tenantId }).update({ occurredAt });
}
async function rehearsed(body?: object) {
  const { id } = (await begin(body)).json<{ id: string }>();
  await activities.rehearse(RehearsalId.parse(id));
  return show(id);
}

describe('POST /client/tenants/:tenantId/rehearsals', () => {
  it('202: decides the sales of the last days once more, and moves nothing', async () => {
    await aRule(db, tenantId, { conversionRate: 0.1 });
    const email = await customer();
    await soldYesterday(
      { email, amount: 1_000 },
      { email: await customer(), amount: 500, refunded: 500 },
      { email: `${randomUUID()}@example.com`, amount: 300 },
    );
    const before = await db('ledger_entries').orderBy('id');
    const answer = await begin();
    expect(answer).toMatchObject({ status: 202, body: { status: 'running', draft: { days: 90 } } });
    const { id } = answer.json<{ id: string }>();
    expect(begun).toEqual([id]);
    expect(await show(id)).toEqual(answer.body);

    await activities.rehearse(RehearsalId.parse(id));
    const done = await show(id);
    expect(done).toMatchObject({
      status: 'done',
      sales: 2,
      consumers: 2,
      skipped: { anonymous: 1, otherCurrency: 0, beforeConnection: 0, suspended: 0 },
      actual: { pointsEarned: 150, pointsNet: 100 },
      rehearsed: { pointsEarned: 300, pointsNet: 200 },
      difference: { points: 100, minorUnits: 100, percent: 100 },
      consumersMore: 1,
      consumersFewer: 0,
      consumersSame: 1,
      versions: [{ version: 1, sales: 2, actualPoints: 150, rehearsedPoints: 300 }],
    });
    expect(done.weeks?.reduce((sum, week) => sum + week.actualPoints, 0)).toBe(150);
    expect(done.examples?.[0]?.steps).toContain('1000 × 0.2 = 200.');
    expect(await db('ledger_entries').orderBy('id')).toEqual(before);
    // Run again, as after a lost answer, it finds that all is done.
    expect(await activities.rehearse(RehearsalId.parse(id))).toBeNull();
  });

  it('agrees to the point with the version whose terms the draft has', async () => {
    await aRule(db, tenantId, { conversionRate: 0.333333, roundingPolicy: 'ceil' });
    const email = await customer();
    await soldYesterday(...[7, 99, 1_001].map((amount) => ({ email, amount, refunded: 5 })));
    const draft = { rule: { conversionRate: 0.333333, roundingPolicy: 'ceil' }, days: 7 };
    const done = await rehearsed(draft);
    expect(done).toMatchObject({ sales: 3, difference: { points: 0, percent: 0 }, examples: [] });
  });

  it('leaves out what was sold today, and before the days', async () => {
    await aRule(db, tenantId);
    const email = await customer();
    await sell({ email, amount: 100 });
    await sell({ email, amount: 200 });
    const earlier = await sell({ email, amount: 300 });
    const occurredAt = new Date(Date.now() - 9 * DAY_MS);
    await db('payments').where({ id: earlier }).update({ occurredAt });
    expect(await rehearsed({ rule, days: 7 })).toMatchObject({ status: 'done', sales: 0 });
  });

  it('decides what no rule has decided, and reads page by page', async () => {
    const email = await customer();
    await soldYesterday({ email, amount: 1_000 });
    expect(await rehearsed()).toMatchObject({
      versions: [{ version: null, sales: 1, actualPoints: 0, rehearsedPoints: 200 }],
      difference: { percent: null },
    });
  });

  it('429 while another runs, and after four in a day; at once one begins', async () => {
    const answers = await Promise.all([begin(), begin(), begin()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ issues: [{ code: 'too_many_reports' }] });
    expect(refused?.headers.get('retry-after')).toBe('60');
    for (let nth = 1; nth < 4; nth++) {
      await db('rehearsals').where({ tenantId }).update({ status: 'failed' });
      expect((await begin()).status).toBe(202);
    }
    await db('rehearsals').where({ tenantId }).update({ status: 'failed' });
    expect((await begin()).status).toBe(429);
    const createdAt = new Date(Date.now() - DAY_MS);
    await db('rehearsals').where({ tenantId }).update({ createdAt });
    expect((await begin()).status).toBe(202);
  });

  it('400 for days that are too few or too many', async () => {
    for (const days of [6, 91]) expect((await begin({ days, rule })).status).toBe(400);
  });
});

describe('GET /client/tenants/:tenantId/rehearsals', () => {
  it('lists them newest first, without results, and none of another tenant', async () => {
    const { id: first } = (await begin()).json<{ id: string }>();
    await rehearsals.end(db, RehearsalId.parse(first), 'failed');
    const second = await rehearsed();
    const list = await app.call({ path, token });
    expect(list.body).toEqual([
      { id: second.id, status: 'done', draft: second.draft, createdAt: second.createdAt },
      expect.objectContaining({ id: first, status: 'failed' }),
    ]);
    const page = await app.call({ path: `${path}?limit=1`, token });
    expect(page.body).toHaveLength(1);

    const other = await aTenant(db);
    const { token: stranger } = await app.signIn({ role: 'client', member: other });
    const theirs = `/api/v1/client/tenants/${other}/rehearsals/${second.id}`;
    expect((await app.call({ path: theirs, token: stranger })).status).toBe(404);
  });
});

describe('deleteOldRehearsals', () => {
  it('deletes those of more than 90 days, and no others', async () => {
    const old = await rehearsed();
    const createdAt = new Date(Date.now() - 91 * DAY_MS);
    await db('rehearsals').where({ id: old.id }).update({ createdAt });
    const kept = await rehearsed();
    expect(await activities.deleteOldRehearsals()).toBe(1);
    expect(await db('rehearsals').where({ tenantId }).select('id')).toEqual([{ id: kept.id }]);
  });
});
