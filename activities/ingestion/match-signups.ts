import type { Db } from '../../db/connection.ts';
import { isDataError } from '../../db/errors.ts';
import * as paymentRevisions from '../../db/payments/revisions.ts';
import * as contactChanges from '../../db/users/contact-changes.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { inBatches } from '../concurrency.ts';
import { continues } from '../progress.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import { ingestedPayment } from './payment-report.ts';
import { revisePayment } from './revise-payment.ts';

export type SignupMatchingDeps = {
  db: Db;
  ingestPolicy: IngestPolicy;
  metrics: Pick<Metrics, 'paymentsIngested'>;
};

/** How many one activity takes; the others are left to the next one. */
const SIGNUPS = { batch: 100, most: 40 };
const FINGERPRINTS = { batch: 1_000, most: 10 };

/** The steps of matching anonymous payments with consumers who signed up later. */
export function createSignupMatchingActivities(deps: SignupMatchingDeps) {
  const { db } = deps;
  return {
    /**
     * Credits consumers whose contacts changed with the anonymous payments of the last 30 days that
     * carry these contacts, and returns how many were matched. Run twice, or at once, it matches
     * each payment once.
     */
    async matchNewcomers(): Promise<number> {
      let matched = 0;
      await inBatches(SIGNUPS, async (batch) => {
        const changes = await contactChanges.list(db, batch);
        for (const change of changes) {
          continues();
          matched += await matchSignup(deps, change);
        }
        await contactChanges.markCompared(db, changes);
        return changes.length;
      });
      return matched;
    },

    /** Deletes the contact fingerprints of payments that stayed unmatched for 30 days. */
    async forgetFingerprints(): Promise<number> {
      return inBatches(FINGERPRINTS, (batch) => paymentRevisions.purgeFingerprints(db, batch));
    },
  };
}

async function matchSignup(
  { db, ingestPolicy, metrics }: SignupMatchingDeps,
  { email, phone }: contactChanges.ContactChange,
): Promise<number> {
  const fingerprintsOf = (contact: string | null) =>
    contact === null ? [] : [...ingestPolicy.fingerprints(contact)];
  if (email === null && phone === null) return 0;
  const anonymous = await paymentRevisions.listAnonymous(db, {
    emails: fingerprintsOf(email),
    phones: fingerprintsOf(phone),
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
      // A payment that the database refuses must not stop the others or the next consumer.
      if (!isDataError(error)) throw error;
    }
  }
  return matched;
}
