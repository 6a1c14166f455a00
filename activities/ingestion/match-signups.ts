import type { Db } from '../../db/connection.ts';
import { isDatabaseUnreachable } from '../../db/errors.ts';
import { untilReadersEnd } from '../../db/open-transactions.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import * as contactChanges from '../../db/users/contact-changes.ts';
import type { PaymentId } from '../../domain/ids.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { continues, untilDone } from '../progress.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import { ingestedPayment } from './payment-report.ts';
import { revisePayment } from './revise-payment.ts';

export type SignupMatchingDeps = {
  db: Db;
  ingestPolicy: IngestPolicy;
  metrics: Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;
  log: Pick<Logger, 'error'>;
};

/** Most consumers have no payment, so that one statement asks for so many of them. */
const SIGNUP_BATCH = 1_000;
const PAYMENT_PAGE = 500;
/** How many payments one turn of a consumer matches; the rest follows after the other consumers. */
const MATCHED_PER_TURN = 500;
/** One activity ends well within its time; what is left is the next one's. */
const BUDGET_MS = 15_000;
/** A payment takes less to be decided and stored, unless something holds it up. */
const PATIENCE_MS = 5_000;
const FINGERPRINTS = { batch: 1_000, forMs: 600_000 };

/** The steps of matching anonymous payments with consumers who signed up later. */
export function createSignupMatchingActivities(deps: SignupMatchingDeps) {
  const { db } = deps;
  return {
    /**
     * Credits consumers whose contacts changed with the anonymous payments of the last 30 days that
     * carry these contacts, and returns how many were matched. A payment that was being decided
     * while its consumer signed up is waited for, here or by the next call. A consumer who cannot
     * be matched is logged and tried again later, and holds up no other. Run twice, or at once, it
     * matches each payment once. Throws only when the database is away.
     */
    async matchNewcomers(): Promise<number> {
      const until = performance.now() + BUDGET_MS;
      let matched = 0;
      while (performance.now() < until) {
        const changes = await contactChanges.list(db, SIGNUP_BATCH);
        if (changes.length === 0) break;
        // A transaction that began earlier may still store an anonymous payment of these consumers.
        if (!(await untilReadersEnd(db, 'users', PATIENCE_MS))) break;
        for (const change of await skipUnawaited(deps, changes)) {
          if (performance.now() > until) break;
          continues();
          matched += await takeTurn(deps, change, until);
        }
      }
      return matched;
    },

    /** Deletes the contact fingerprints of payments that stayed unmatched for 30 days. */
    async forgetFingerprints(): Promise<number> {
      return untilDone(FINGERPRINTS, (batch) => paymentRevisions.purgeFingerprints(db, batch));
    },
  };
}

/** Takes those off the list for whom no anonymous payment waits, and returns the others. */
async function skipUnawaited(
  { db, ingestPolicy }: SignupMatchingDeps,
  changes: readonly contactChanges.ContactChange[],
): Promise<contactChanges.ContactChange[]> {
  const sought = changes.map((change) => {
    const contacts = [change.email, change.phone].filter((contact) => contact !== null);
    const fingerprints = contacts.flatMap((contact) => [...ingestPolicy.fingerprints(contact)]);
    return { change, fingerprints };
  });
  const all = sought.flatMap(({ fingerprints }) => fingerprints);
  const awaited = await contactChanges.findAwaited(db, all);
  const isAwaited = ({ fingerprints }: { fingerprints: readonly Buffer[] }) =>
    fingerprints.some((fingerprint) => awaited.has(fingerprint.toString('hex')));
  const others = sought.filter((each) => !isAwaited(each));
  await contactChanges.markCompared(
    db,
    others.map(({ change }) => change),
  );
  return sought.filter(isAwaited).map(({ change }) => change);
}

/** Matches one consumer and says in the list how it went; returns how many were matched. */
async function takeTurn(
  deps: SignupMatchingDeps,
  change: contactChanges.ContactChange,
  until: number,
): Promise<number> {
  const { db, metrics, log } = deps;
  const turn: Turn = { matched: 0, failures: [], isDone: false };
  try {
    await matchConsumer(deps, change, { turn, until });
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    turn.failures.push(error);
  }
  const [err] = turn.failures;
  if (err !== undefined) {
    metrics.ingestFailed('signup', turn.failures.length);
    log.error(
      { event: 'signup_not_matched', err, userId: change.id, failures: turn.failures.length },
      'Payments of a new consumer could not be matched; they are tried again later',
    );
    await contactChanges.backOff(db, change);
  } else if (turn.isDone) {
    await contactChanges.markCompared(db, [change]);
  } else {
    await contactChanges.requeue(db, change);
  }
  return turn.matched;
}

type Turn = { matched: number; failures: unknown[]; isDone: boolean };

async function matchConsumer(
  deps: SignupMatchingDeps,
  { email, phone }: contactChanges.ContactChange,
  { turn, until }: { turn: Turn; until: number },
): Promise<void> {
  const fingerprintsOf = (contact: string | null) =>
    contact === null ? [] : [...deps.ingestPolicy.fingerprints(contact)];
  const sought = { emails: fingerprintsOf(email), phones: fingerprintsOf(phone) };
  let after: PaymentId | null = null;
  for (;;) {
    const page: paymentRevisions.AnonymousPayment[] = await paymentRevisions.listAnonymous(
      deps.db,
      sought,
      { limit: PAYMENT_PAGE, after },
    );
    for (const anonymous of page) {
      if (turn.matched >= MATCHED_PER_TURN || performance.now() > until) return;
      await matchPayment(deps, anonymous, { email, phone, turn });
      after = anonymous.id;
    }
    if (page.length < PAYMENT_PAGE) break;
  }
  turn.isDone = true;
}

/** A payment that cannot be matched must not hold up the consumer's others. */
async function matchPayment(
  { db, ingestPolicy, metrics }: SignupMatchingDeps,
  { payment, hasEmail, hasPhone, ...tenant }: paymentRevisions.AnonymousPayment,
  { email, phone, turn }: Pick<contactChanges.ContactChange, 'email' | 'phone'> & { turn: Turn },
): Promise<void> {
  const { tenantId, tenantCountry } = tenant;
  const report: NormalizedPayment = {
    ...payment,
    state: 'settled',
    email: hasEmail ? email : null,
    phone: hasPhone ? phone : null,
  };
  try {
    const decided = await revisePayment(
      db,
      { tenantId, tenantCountry, payment: report, isResolved: true },
      ingestPolicy,
    );
    metrics.paymentsIngested('signup', [ingestedPayment({ payment: report }, decided)]);
    if (decided.outcome !== 'duplicate') turn.matched++;
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error;
    turn.failures.push(error);
  }
}
