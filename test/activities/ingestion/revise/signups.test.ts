import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../../activities/due-work/worker.ts';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import {
  createFingerprintActivities,
  matchSignup,
} from '../../../../activities/ingestion/revise/signups.ts';
import * as userAdmin from '../../../../db/users/admin.ts';
import * as users from '../../../../db/users/users.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { createSealer } from '../../../../gateways/crypto/sealer.ts';
import { createLogger } from '../../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../../gateways/telemetry/metrics.ts';
import { holdUpPayments } from '../../../support/database/gate.ts';
import { aRule, aTenant, testPolicy, testSealer } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { sampleOf } from '../../../support/metric-text.ts';
import { aSale as anySale, SOLD_AT } from '../../../support/points/a-sale.ts';

let tenantId: TenantId;
let email: string;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  tenantId = await aTenant(db, { country: 'CH' });
  await aRule(db, tenantId);
  email = `${randomUUID()}@example.com`;
  await match();
});

const logged: string[] = [];
const log = createLogger(
  { level: 'error', service: 'test' },
  { write: (line) => logged.push(line) },
);
const metrics = createMetrics('worker');
/** Returns how many people were matched whose payments were waiting. */
const match = (ingestPolicy = testPolicy) =>
  doWork({ db, log }, matchSignup({ db, ingestPolicy, metrics }));

const aSale = (some: Partial<NormalizedPayment>) =>
  anySale({ provider: 'beta', currency: 'CHF', ...some });

const ingest = (payments: readonly NormalizedPayment[], shop = tenantId) =>
  ingestListedPayments(
    db,
    payments.map((payment) => ({ tenantId: shop, payment })),
    testPolicy,
  );

/** Ingests a sale that matches no consumer. */
async function anAnonymousSale(some: Partial<NormalizedPayment>): Promise<void> {
  const counts = await ingest([aSale(some)]);
  expect(counts.stored_anonymous).toBe(1);
}

const signUp = (some: Partial<Parameters<typeof users.signIn>[1]> = {}, sub = randomUUID()) =>
  users.signIn(
    db,
    {
      iss: 'https://issuer.test',
      sub,
      name: null,
      clientIntent: false,
      email,
      emailVerified: true,
      phone: null,
      phoneVerified: false,
      ...some,
    },
    {
      adminEmailDomain: 'shop.example',
      bootstrapAdminEmails: [],
      proofs: testSealer.fingerprints,
      requestId: 'test',
    },
  );
const isToCompare = async (id: UserId) =>
  (await db('due_work').where({ kind: 'match_signup', subjectId: id })).length > 0;
const balances = () => db('wallets').where({ tenantId }).pluck('balance');

describe('matchSignup', () => {
  it('credits earlier payments once after signup, by e-mail and by phone', async () => {
    await anAnonymousSale({ email: ` ${email.toUpperCase()}` });
    await anAnonymousSale({ phone: '044 668 18 00' });
    await anAnonymousSale({ email: `other-${email}` });
    await signUp({ phone: '+41446681800', phoneVerified: true });

    const [one, two] = await Promise.all([match(), match()]);
    expect(one + two).toBe(1);
    expect(await match()).toBe(0);
    expect(await balances()).toEqual([200]);
    const kept = await db('payments').where({ tenantId, outcome: 'credited' });
    expect(kept.map((row) => [row.emailFingerprint, row.phoneFingerprint])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it.each([
    { contact: 'an e-mail', names: () => ({ email }), signsUp: {} },
    {
      contact: 'a phone',
      names: () => ({ phone: '044 668 18 01' }),
      signsUp: { phone: '+41446681801', phoneVerified: true },
    },
  ])('credits a payment whose customer came late, with $contact', async ({ names, signsUp }) => {
    const sale = aSale({});
    const later = { ...sale, changedAt: new Date(SOLD_AT.getTime() + 1_000) };
    await ingest([sale]);
    await ingest([{ ...later, ...names() }]);
    await ingest([{ ...later, ...names(), refundedMinorUnits: 30 }, sale]);
    await signUp(signsUp);
    expect(await match()).toBe(1);
    expect(await balances()).toEqual([70]);
  });

  it('credits a payment to whose e-mail it names, also if its phone signed up before', async () => {
    const phone = '+41446681802';
    await anAnonymousSale({ email, phone });
    await signUp({ email: `second-${email}`, phone, phoneVerified: true });
    const { id } = await signUp();
    expect(await match()).toBe(2);
    expect(await db('payments').where({ tenantId }).pluck('user_id')).toEqual([id]);
  });

  it('credits a payment that got its first contact from the report of a refund', async () => {
    const sale = aSale({ changedAt: SOLD_AT });
    const refunded = { refundedMinorUnits: 30, changedAt: new Date(SOLD_AT.getTime() + 1_000) };
    await ingest([sale, { ...sale, ...refunded, email }]);
    await signUp();
    expect(await match()).toBe(1);
    expect(await balances()).toEqual([70]);
  });

  it.each([
    { because: 'the e-mail is not verified', some: { emailVerified: false } },
    { because: 'the user is a merchant', some: { clientIntent: true } },
  ])('matches nothing when $because', async ({ some }) => {
    await anAnonymousSale({ email });
    await signUp(some);
    expect(await match()).toBe(0);
  });

  it('matches once the e-mail is verified', async () => {
    await anAnonymousSale({ email });
    const sub = randomUUID();
    await signUp({ emailVerified: false }, sub);
    expect(await match()).toBe(0);
    await signUp({ emailVerified: true }, sub);
    expect(await match()).toBe(1);
    expect(await balances()).toEqual([100]);
  });

  it('matches a payment that was being decided while its consumer signed up', async () => {
    const gate = await holdUpPayments(database, tenantId);
    // Decided by now, and not committed.
    const ingesting = ingest([aSale({ email })]);
    await expect.poll(gate.countWaiting).toBe(1);
    const newcomer = await signUp();

    const matching = match();
    await expect(Promise.race([matching, later('still waiting')])).resolves.toBe('still waiting');
    expect(await gate.open(ingesting)).toMatchObject({ stored_anonymous: 1 });
    expect(await matching).toBe(1);
    expect(await balances()).toEqual([100]);
    expect(await isToCompare(newcomer.id)).toBe(false);
  });

  it('leaves a newcomer on the list while such a payment is held up for longer', async () => {
    const open = await db.transaction();
    await open('users').first('id');
    const newcomer = await signUp();
    expect(await match()).toBe(0);
    expect(await isToCompare(newcomer.id)).toBe(true);
    await open.rollback();
    await match();
    expect(await isToCompare(newcomer.id)).toBe(false);
  });

  it('holds up nobody by a payment that cannot be matched, in this tenant or another', async () => {
    const [refused, other] = [randomUUID(), await aTenant(db, { country: 'CH' })];
    await aRule(db, other);
    await anAnonymousSale({ email, providerPaymentId: refused });
    await anAnonymousSale({ email });
    const first = await signUp();
    await ingest([aSale({ email: `second-${email}` })], other);
    await signUp({ email: `second-${email}` });
    await refusing(refused, async () => {
      const failures = await failed();
      expect(await match()).toBe(1);
      expect(await match()).toBe(0);
      expect(await failed()).toBe(failures + 1);
      expect(logged.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ event: 'due_work_failed', subjectId: first.id }),
      ]);
      expect(logged.join()).not.toContain(email);
    });
    expect(await match()).toBe(0);
    await db('due_work')
      .where({ subjectId: first.id })
      .update({ dueAt: db.raw(`due_at - interval '61 seconds'`) });
    expect(await match()).toBe(1);
    expect(await balances()).toEqual([200]);
  });

  it('compares a merchant who becomes a consumer', async () => {
    await anAnonymousSale({ email });
    const { id } = await signUp({ clientIntent: true });
    expect(await match()).toBe(0);
    await db.transaction((tx) => userAdmin.update(tx, id, { role: 'client', status: 'active' }));
    expect(await isToCompare(id)).toBe(false);
    await db.transaction((tx) => userAdmin.update(tx, id, { role: 'consumer', status: 'active' }));
    expect(await match()).toBe(1);
  });

  it('matches more payments of one consumer than one turn takes', async () => {
    const sales = Array.from({ length: 510 }, () => aSale({ email, amountMinorUnits: 1 }));
    expect((await ingest(sales)).stored_anonymous).toBe(510);
    await signUp();
    const afterATurn = async () => {
      await match();
      return balances();
    };
    await expect.poll(afterATurn, { timeout: 100_000 }).toEqual([510]);
  });

  it('compares more new users than fit in one batch', async () => {
    await anAnonymousSale({ email });
    await db.raw(
      `insert into users (iss, sub, role, status, email, email_verified)
       select 'https://issuer.test', 'n' || n, 'consumer', 'active', n || '@example.com', true
       from generate_series(1, 2300) n`,
    );
    await signUp();
    expect(await match()).toBe(1);
    expect(await db('due_work').where({ kind: 'match_signup' })).toEqual([]);
  });

  it('matches nothing older than 30 days, and deletes its fingerprints', async () => {
    await anAnonymousSale({ email });
    await db('payments')
      .where({ tenantId })
      .update({ createdAt: db.raw(`now() - '31 days'::interval`) });
    await signUp();
    await match();
    expect(await balances()).toEqual([]);
    const { deleteFingerprints } = createFingerprintActivities({ db });
    expect(await deleteFingerprints()).toBe(1);
    expect(await deleteFingerprints()).toBe(0);
  });

  it('matches when the key has been rotated since', async () => {
    await anAnonymousSale({ email });
    await signUp();
    const { fingerprints } = createSealer([{ id: 'k2', key: new Uint8Array(32).fill(9) }]);
    const credit = {
      ...testPolicy,
      fingerprints: (contact: string): [Buffer, ...Buffer[]] => [
        ...fingerprints(contact),
        ...testPolicy.fingerprints(contact),
      ],
    };
    expect(await match(credit)).toBe(1);
  });
});

const later = <T>(value: T) => sleep(300, value);
const failed = async () =>
  sampleOf(await metrics.metrics(), 'loyalty_ingest_failures_total', { source: 'signup' }) ?? 0;

/** Lets Postgres refuse every change of one payment, by an error that blames no data. */
async function refusing(providerPaymentId: string, work: () => Promise<void>): Promise<void> {
  await database.owner.raw(
    `create function refuse_payment() returns trigger language plpgsql as
       $$ begin raise exception 'refused on purpose'; end $$;
     create trigger refuse_payment before update on payments for each row
       when (old.provider_payment_id = '${providerPaymentId}') execute function refuse_payment()`,
  );
  try {
    await work();
  } finally {
    await database.owner.raw('drop function refuse_payment cascade');
  }
}
