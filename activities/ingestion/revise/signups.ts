import type { Db } from '../../../db/connection.ts';
import { isDatabaseUnreachable } from '../../../db/errors.ts';
import { dropOverdue } from '../../../db/imports/waiting.ts';
import { untilReadersEnd } from '../../../db/open-transactions.ts';
import * as paymentRevisions from '../../../db/payments/revisions.ts';
import * as contacts from '../../../db/users/contacts.ts';
import type { PaymentId } from '../../../domain/ids.ts';
import { normalisePhone, writtenForms } from '../../../domain/matching.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import { type DueWorker, type Outcome, tasksOf } from '../../due-work/worker.ts';
import { matchRows } from '../../imports/match-rows.ts';
import { untilDone } from '../../progress.ts';
import { asWritten } from '../decide/contacts.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { ingestedPayment } from '../decide/payment-report.ts';
import { revisePayment } from './revise-payment.ts';

export type SignupMatchingDeps = {
  db: Db;
  ingestPolicy: IngestPolicy;
  metrics: Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;
};

const PAYMENT_PAGE = 500;
/** How many payments one turn of a consumer matches; the rest follows after the other consumers. */
const MATCHED_PER_TURN = 500;
/** A payment takes less to be decided and stored, unless something holds it up. */
const PATIENCE_MS = 5_000;
const FINGERPRINTS = { batch: 1_000, forMs: 600_000 };

/**
 * Credits consumers whose contacts changed with the anonymous payments of the last 30 days that
 * carry these contacts, and with the rows of imports that wait for them. What was being decided
 * while its consumer signed up is waited for, here or by the next turn. Run twice, or at once, it
 * matches each payment and row once.
 */
export function matchSignup(deps: SignupMatchingDeps): DueWorker<'match_signup'> {
  const { db } = deps;
  return {
    kind: 'match_signup',
    // Most consumers have no payment, so that one statement asks for so many of them.
    batch: 1_000,
    atOnce: 1,
    backOff: { firstSeconds: 60, longestSeconds: 6 * 3_600 },
    async prepare(items) {
      // A transaction that began earlier may still store an anonymous payment of these consumers.
      const isDecided = await untilReadersEnd(db, 'users', PATIENCE_MS);
      let emailOf: Emails = new Map();
      return tasksOf(
        items,
        async (ids) => {
          const people = await contacts.find(db, ids);
          if (!isDecided) return people;
          const found = await awaited(deps, people);
          emailOf = emailsOf(found, deps.ingestPolicy);
          return found;
        },
        async (person, until) => (isDecided ? takeTurn(deps, person, { until, emailOf }) : 'again'),
      );
    },
  };
}

/** The step that forgets the contacts of payments that nobody has claimed. */
export function createFingerprintActivities({ db }: { db: Db }) {
  return {
    /**
     * Deletes the contact fingerprints of payments that stayed unmatched for 30 days, and of rows
     * of imports whose owners did not sign up in time.
     */
    async deleteFingerprints(): Promise<number> {
      const rows = await untilDone(FINGERPRINTS, (batch) => dropOverdue(db, batch));
      const payments = await untilDone(FINGERPRINTS, (batch) =>
        paymentRevisions.purgeFingerprints(db, batch),
      );
      return rows + payments;
    },
  };
}

/**
 * Returns those for whom an anonymous payment or a row of an import waits, or a payment may wait
 * until its country is known.
 */
export async function awaited(
  { db, ingestPolicy }: Pick<SignupMatchingDeps, 'db' | 'ingestPolicy'>,
  people: readonly contacts.Contacts[],
): Promise<contacts.Contacts[]> {
  const sought = people.map((person) => {
    const { emails, phones } = soughtOf(person, ingestPolicy);
    return { person, fingerprints: [...emails, ...phones.map(({ fingerprint }) => fingerprint)] };
  });
  const all = sought.flatMap(({ fingerprints }) => fingerprints);
  const found = await contacts.findAwaited(db, all);
  return sought
    .filter((each) => each.fingerprints.some((one) => found.has(one.toString('hex'))))
    .map(({ person }) => person);
}

/** By fingerprints in hex, the e-mails of people who are matched in one batch. */
type Emails = ReadonlyMap<string, string>;

function emailsOf(people: readonly contacts.Contacts[], policy: IngestPolicy): Emails {
  return new Map(
    people.flatMap(({ email }) =>
      email === null
        ? []
        : policy.fingerprints(email).map((one) => [one.toString('hex'), email] as const),
    ),
  );
}

/** By which fingerprints a person is recognised; the digits that one of a phone stands for. */
function soughtOf({ email, phone }: contacts.Contacts, policy: IngestPolicy) {
  const of = (text: string, digits: string | null) =>
    policy.fingerprints(text).map((fingerprint) => ({ fingerprint, digits }));
  const forms = phone === null ? [] : writtenForms(phone);
  return {
    emails: email === null ? [] : [...policy.fingerprints(email)],
    phones: [
      ...(phone === null ? [] : of(phone, null)),
      ...forms.flatMap((digits) => of(asWritten(digits), digits)),
    ],
  };
}

/** Matches one consumer. */
async function takeTurn(
  deps: SignupMatchingDeps,
  person: contacts.Contacts,
  { until, emailOf }: { until: number; emailOf: Emails },
): Promise<Outcome> {
  const turn: Turn = { matched: 0, failures: [], isDone: false };
  await matchConsumer(deps, person, { turn, until, emailOf });
  const { failures } = turn;
  if (failures.length > 0) deps.metrics.ingestFailed('signup', failures.length);
  const outcome = turn.isDone ? await matchRows(deps, person, until) : 'again';
  if (failures.length > 0) throw failures[0];
  return outcome;
}

type Turn = { matched: number; failures: unknown[]; isDone: boolean };

async function matchConsumer(
  deps: SignupMatchingDeps,
  person: contacts.Contacts,
  { turn, until, emailOf }: { turn: Turn; until: number; emailOf: Emails },
): Promise<void> {
  const { emails, phones } = soughtOf(person, deps.ingestPolicy);
  const sought = { emails, phones: phones.map(({ fingerprint }) => fingerprint) };
  const digitsOf = new Map(phones.map((one) => [one.fingerprint.toString('hex'), one.digits]));
  let after: PaymentId | null = null;
  for (;;) {
    const page: paymentRevisions.AnonymousPayment[] = await paymentRevisions.listAnonymous(
      deps.db,
      sought,
      { limit: PAYMENT_PAGE, after },
    );
    for (const anonymous of page) {
      if (turn.matched >= MATCHED_PER_TURN || performance.now() > until) return;
      // Found by the phone of one and naming the e-mail of another, it is the other's.
      const email = emailOf.get(anonymous.emailHex ?? '') ?? null;
      const digits = digitsOf.get(anonymous.phoneHex ?? '');
      const phone = isReadAs(person.phone, { digits, country: anonymous.country })
        ? person.phone
        : null;
      if (email !== null || phone !== null) {
        await matchPayment(deps, anonymous, { email, phone, turn });
      }
      after = anonymous.id;
    }
    if (page.length < PAYMENT_PAGE) break;
  }
  turn.isDone = true;
}

/** Whether a payment's phone is the person's: also by its digits, once its country is known. */
function isReadAs(
  phone: string | null,
  { digits, country }: { digits: string | null | undefined; country: string | null },
): boolean {
  if (digits === undefined) return false;
  return digits === null || normalisePhone(digits, country) === phone;
}

/** A payment that cannot be matched must not hold up the consumer's others. */
async function matchPayment(
  { db, ingestPolicy, metrics }: SignupMatchingDeps,
  { payment, tenantId }: paymentRevisions.AnonymousPayment,
  { email, phone, turn }: Pick<contacts.Contacts, 'email' | 'phone'> & { turn: Turn },
): Promise<void> {
  const report: NormalizedPayment = { ...payment, state: 'settled', email, phone };
  try {
    const decided = await revisePayment(
      db,
      { tenantId, payment: report, isResolved: true },
      ingestPolicy,
    );
    metrics.paymentsIngested('signup', [ingestedPayment({ payment: report }, decided)]);
    if (decided.outcome !== 'duplicate') turn.matched++;
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    turn.failures.push(error);
  }
}
