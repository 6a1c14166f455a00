import type { Db } from '../../db/connection.ts';
import { isFaultOfData } from '../../db/errors.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import * as newcomers from '../../db/users/contact-changes.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { inBatches } from '../concurrency.ts';
import { type IngestPolicy, ingestedPayment } from './decide-and-store.ts';
import { revisePayment } from './revise-payment.ts';

export type SignupMatchingDeps = {
  db: Db;
  ingestPolicy: IngestPolicy;
  metrics: Pick<Metrics, 'paymentsIngested'>;
};

/** As many as one activity takes; whoever is left waits for the next. */
const NEWCOMERS = { batch: 100, most: 40 };
const FINGERPRINTS = { batch: 1_000, most: 10 };

/** The steps of matching anonymous payments with people who signed up later (contract 5). */
export function createSignupMatchingActivities(deps: SignupMatchingDeps) {
  const { db } = deps;
  return {
    /**
     * Gives people whose contacts are new the anonymous payments of the last 30 days that named
     * them, and returns how many payments were matched. Run twice or at once it matches each once.
     */
    async matchNewcomers(): Promise<number> {
      let matched = 0;
      await inBatches(NEWCOMERS, async (batch) => {
        const waiting = await newcomers.list(db, batch);
        for (const newcomer of waiting) matched += await matchSignup(deps, newcomer);
        await newcomers.markCompared(db, waiting);
        return waiting.length;
      });
      return matched;
    },

    /** Forgets what recognises the contacts of payments that nobody signed up for in time. */
    async forgetFingerprints(): Promise<number> {
      return inBatches(FINGERPRINTS, (batch) => paymentRevisions.purgeFingerprints(db, batch));
    },
  };
}

async function matchSignup(
  { db, ingestPolicy, metrics }: SignupMatchingDeps,
  { email, phone }: newcomers.ContactChange,
): Promise<number> {
  const printsOf = (contact: string | null) =>
    contact === null ? [] : [...ingestPolicy.fingerprints(contact)];
  if (email === null && phone === null) return 0;
  const anonymous = await paymentRevisions.listAnonymous(db, {
    emails: printsOf(email),
    phones: printsOf(phone),
  });
  let matched = 0;
  for (const { payment, hasEmail, hasPhone, tenantId, tenantCountry } of anonymous) {
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
      if (decided.outcome !== 'duplicate') matched++;
    } catch (error) {
      // A payment that the database refuses must not keep the others, nor the next newcomer.
      if (!isFaultOfData(error)) throw error;
    }
  }
  return matched;
}
