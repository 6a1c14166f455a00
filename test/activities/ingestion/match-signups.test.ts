import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../activities/ingestion/ingest-payments.ts';
import { createSignupMatchingActivities } from '../../../activities/ingestion/match-signups.ts';
import * as users from '../../../db/users/users.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { createSealer } from '../../../gateways/crypto/sealer.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { aRule, aTenant, testPolicy } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

let tenantId: TenantId;
let email: string;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  tenantId = await aTenant(db, { country: 'CH' });
  await aRule(db, tenantId);
  email = `${randomUUID()}@example.com`;
  await signupMatching().matchNewcomers();
});

const signupMatching = (ingestPolicy = testPolicy) =>
  createSignupMatchingActivities({ db, ingestPolicy, metrics: createMetrics('worker') });
const at = new Date('2026-01-15T10:00:00Z');

/** Ingests a sale that matches no consumer. */
async function anAnonymousSale(some: Partial<NormalizedPayment>): Promise<void> {
  const payment: NormalizedPayment = {
    provider: 'beta',
    providerPaymentId: randomUUID(),
    state: 'settled',
    currency: 'CHF',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    occurredAt: at,
    changedAt: at,
    locationId: null,
    providerCustomerId: null,
    email: null,
    phone: null,
    ...some,
  };
  const counts = await ingestListedPayments(
    db,
    [{ tenantId, tenantCountry: 'CH', payment }],
    testPolicy,
  );
  expect(counts.storedAnonymous).toBe(1);
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
    { adminEmailDomain: 'shop.example', bootstrapAdminEmails: [], requestId: 'test' },
  );
const balances = () => db('wallets').where({ tenantId }).pluck('balance');

describe('matchNewcomers', () => {
  it('credits earlier payments once after signup, by e-mail and by phone', async () => {
    await anAnonymousSale({ email: ` ${email.toUpperCase()}` });
    await anAnonymousSale({ phone: '044 668 18 00' });
    await anAnonymousSale({ email: `other-${email}` });
    await signUp({ phone: '+41446681800', phoneVerified: true });

    const [one, two] = await Promise.all([
      signupMatching().matchNewcomers(),
      signupMatching().matchNewcomers(),
    ]);
    expect(one + two).toBe(2);
    expect(await signupMatching().matchNewcomers()).toBe(0);
    expect(await balances()).toEqual([200]);
    const kept = await db('payments').where({ tenantId, outcome: 'credited' });
    expect(kept.map((row) => [row.emailFingerprint, row.phoneFingerprint])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it.each([
    { because: 'the e-mail is not verified', some: { emailVerified: false } },
    { because: 'the user is a merchant', some: { clientIntent: true } },
  ])('matches nothing when $because', async ({ some }) => {
    await anAnonymousSale({ email });
    await signUp(some);
    expect(await signupMatching().matchNewcomers()).toBe(0);
  });

  it('matches once the e-mail is verified', async () => {
    await anAnonymousSale({ email });
    const sub = randomUUID();
    await signUp({ emailVerified: false }, sub);
    expect(await signupMatching().matchNewcomers()).toBe(0);
    await signUp({ emailVerified: true }, sub);
    expect(await signupMatching().matchNewcomers()).toBe(1);
    expect(await balances()).toEqual([100]);
  });

  it('compares more new users than fit in one batch', async () => {
    const people = Array.from({ length: 230 }, () => randomUUID());
    await Promise.all(people.map((sub) => signUp({ email: `${sub}@example.com` }, sub)));
    await anAnonymousSale({ email });
    await signUp();
    expect(await signupMatching().matchNewcomers()).toBe(1);
    expect(await db('users').whereNotNull('contactsChangedAt')).toEqual([]);
  });

  it('matches nothing older than 30 days, and deletes its fingerprints', async () => {
    await anAnonymousSale({ email });
    await db('payments')
      .where({ tenantId })
      .update({ createdAt: db.raw(`now() - '31 days'::interval`) });
    await signUp();
    expect(await signupMatching().matchNewcomers()).toBe(0);
    expect(await signupMatching().forgetFingerprints()).toBe(1);
    expect(await signupMatching().forgetFingerprints()).toBe(0);
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
    expect(await signupMatching(credit).matchNewcomers()).toBe(1);
  });
});
