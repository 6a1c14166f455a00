import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import * as paymentFacts from '../../../db/payments/facts.ts';
import { eventRows } from '../../support/events.ts';
import { anAlphaConnection, aRule, aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const tenantId = await aTenant(db);

const read = (...questions: paymentFacts.PaymentQuery[]) =>
  db.transaction((tx) => paymentFacts.readFacts(tx, questions));
const ask = (some: Partial<paymentFacts.PaymentQuery> = {}): paymentFacts.PaymentQuery => ({
  tenantId,
  provider: 'alpha',
  providerPaymentId: randomUUID(),
  email: null,
  phone: null,
  ...some,
});

describe('readFacts', () => {
  it('finds nothing for a payment without contacts at a tenant without a rule', async () => {
    expect(await read(ask())).toEqual([
      {
        known: null,
        userByEmail: null,
        userByPhone: null,
        rule: null,
        currency: null,
        ownersWithWallet: [],
      },
    ]);
    expect(await read()).toEqual([]);
  });

  it('returns facts in the order of the questions, each independently', async () => {
    const email = `${randomUUID()}@example.com`;
    const phone = '+41446681800';
    const [ada, bob] = [await aUser(db, { email }), await aUser(db, { phone })];
    await aWallet(db, { userId: ada, tenantId });
    const facts = await read(ask({ phone }), ask(), ask({ email, phone }), ask({ email }));
    expect(facts.map((fact) => [fact.userByEmail, fact.userByPhone])).toEqual([
      [null, bob],
      [null, null],
      [ada, bob],
      [ada, null],
    ]);
    expect(facts.map((fact) => fact.ownersWithWallet)).toEqual([[], [], [ada], [ada]]);
  });

  it.each([
    { some: { emailVerified: false }, because: 'the e-mail is not verified' },
    { some: { role: 'client' }, because: 'the user is a merchant' },
    { some: { role: 'admin' }, because: 'the user is an admin' },
  ] as const)('finds no user when $because', async ({ some }) => {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email, ...some });
    expect(await read(ask({ email }))).toMatchObject([{ userByEmail: null }]);
  });

  it('finds the last to verify it of several with one contact, also an operator', async () => {
    const [email, phone] = [`${randomUUID()}@example.com`, `+1212${Date.now()}`];
    const first = await aUser(db, { email, phone });
    const last = await aUser(db, { email, phone, role: 'pos_operator' });
    const find = () => read(ask({ email, phone }));
    expect(await find()).toMatchObject([{ userByEmail: last, userByPhone: last }]);

    // Whatever else changes, and the same contact seen once more, prove nothing new.
    await db('users')
      .where({ id: first })
      .update({ name: 'Ann', email, emailVerified: true, phone });
    expect(await find()).toMatchObject([{ userByEmail: last, userByPhone: last }]);

    const set = (changes: object) => db('users').where({ id: first }).update(changes);
    await set({ emailVerified: false });
    await set({ emailVerified: true });
    expect(await find()).toMatchObject([{ userByEmail: first, userByPhone: last }]);
    // A token without the phone, and then one with it: it was not verified again.
    await set({ phone: null, phoneVerified: false });
    await set({ phone, phoneVerified: true });
    expect(await find()).toMatchObject([{ userByEmail: first, userByPhone: last }]);
    await set({ phone: '+12125550100', phoneVerified: true });
    await set({ phone, phoneVerified: true });
    expect(await find()).toMatchObject([{ userByEmail: first, userByPhone: first }]);
  });

  it('of users from before verifications were noted finds the last to sign up', async () => {
    const email = `${randomUUID()}@example.com`;
    const [one, other] = [await aUser(db, { email }), await aUser(db, { email })];
    const signedUp = async (id: string, days: number) =>
      db('users')
        .where({ id })
        .update({ emailVerifiedAt: null, createdAt: new Date(Date.now() - days * 86_400_000) });
    await signedUp(one, 1);
    await signedUp(other, 2);
    expect(await read(ask({ email }))).toMatchObject([{ userByEmail: one }]);
  });

  it('returns the rule in effect with its decimals, at most a minute early', async () => {
    const shop = await aTenant(db);
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    await aRule(db, shop, { conversionRate: 0.1, effectiveFrom: at(-100) });
    await aRule(db, shop, { conversionRate: 0.2, effectiveFrom: at(90) });
    const version = async () => (await read(ask({ tenantId: shop })))[0]?.rule;
    expect(await version()).toMatchObject({ version: 1, conversionRate: '0.100000' });
    await aRule(db, shop, { conversionRate: 0.3, effectiveFrom: at(45) });
    expect(await version()).toMatchObject({ version: 3, conversionRate: '0.300000' });
  });
});

const Plan = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(Plan).optional();
  },
});
type Plan = z.infer<typeof Plan>;

describe('the plans, with 20,000 users, payments and events', () => {
  let client: pg.Client;
  beforeAll(async () => {
    await anAlphaConnection(db, { tenantId, merchantId: 'M1' });
    await fill();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(() => client.end());

  async function fill(): Promise<void> {
    const statements = [
      `insert into users (iss, sub, role, status, email, email_verified, phone, phone_verified)
       select 'https://many.test', n, 'consumer', 'active', n || '@many.test', true,
         '+1212' || n, true from generate_series(1, 20000) n`,
      `insert into payments (id, tenant_id, provider, provider_payment_id, amount_minor_units,
         tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at, outcome,
         points_awarded, decision)
       select gen_random_uuid(), :tenantId, 'alpha', 'P' || n, n, 0, 0, 'EUR', now(), now(),
         'stored_anonymous', 0, jsonb_build_object('record', repeat('x', 500))
       from generate_series(1, 20000) n`,
      `with event as (
         insert into pending_events (id, provider, tenant_id, merchant_id, event_type,
           correlation_id, received_at, next_attempt_at)
         select gen_random_uuid(), 'alpha', :tenantId, 'M1', 'payment.updated', 'c',
           now() - interval '1 hour', now() - interval '1 hour' + n * interval '1 ms'
         from generate_series(1, 20000) n returning id
       )
       insert into webhook_bodies (id, body)
       select id, decode(repeat('7b', 900), 'hex') from event`,
    ];
    for (const statement of statements) await db.raw(statement, { tenantId });
    await database.owner.raw('analyze');
  }

  /** Returns the tables that the statements of this work scan sequentially. */
  async function scannedBy(work: () => Promise<unknown>): Promise<string[]> {
    const asked: { sql: string; bindings: unknown[] }[] = [];
    const note = (query: { sql: string; bindings: unknown[] }) => asked.push(query);
    db.on('query', note);
    await work();
    db.removeListener('query', note);

    const scanned: string[] = [];
    for (const { sql, bindings } of asked.filter((query) => /^\s*(select|with)/.test(query.sql))) {
      const { rows } = await client.query(`explain (format json) ${sql}`, bindings);
      const plan = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan })) })).parse(rows);
      scanned.push(...plan.flatMap((row) => row['QUERY PLAN']).flatMap((it) => scansOf(it.Plan)));
    }
    expect(asked.length).toBeGreaterThan(0);
    return scanned;
  }

  function scansOf(plan: Plan): string[] {
    const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
    return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
  }

  const LARGE = ['users', 'payments', 'pending_events', 'webhook_bodies_unordered'];

  it('show a table that is scanned', async () => {
    const scan = () => db.raw(`select count(*) from users where name = 'nobody'`);
    expect(await scannedBy(async () => scan())).toEqual(['users']);
  });

  // For many more payments, scanning a table as small as this one would be the better plan.
  it.each([1, 50, 200])('use indexes when readFacts reads %i payments', async (count) => {
    const questions = Array.from({ length: count }, (_, index) =>
      ask({
        providerPaymentId: `P${index}`,
        email: `${index}@many.test`,
        phone: `+1212${index}`,
      }),
    );
    const scanned = await scannedBy(() => read(...questions));
    expect(scanned.filter((table) => LARGE.includes(table))).toEqual([]);
  });

  it('use the index of pending events for the sweep', async () => {
    const scanned = await scannedBy(() => dueEvents.takePending(db, { limit: 200 }));
    expect(scanned.filter((table) => LARGE.includes(table))).toEqual([]);
  });

  it.each([1, 500])('use the ids when %i events are read and locked', async (count) => {
    const rows = await eventRows(db).limit(count).select('id');
    const ids = rows.map(({ id }) => id);
    const scanned = await scannedBy(async () => {
      await webhookEvents.read(db, ids);
      await db.transaction((tx) => webhookEvents.lockOpen(tx, ids));
    });
    expect(scanned.filter((table) => LARGE.includes(table))).toEqual([]);
  });
});
