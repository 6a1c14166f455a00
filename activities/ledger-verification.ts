import type { Db } from '../db/connection.ts';
import { verifySlice, type WholePosition, type WholeSlice } from '../db/ledger/verification.ts';
import { type RunPosition, type RunSlice, verifyNext } from '../db/ledger/verification-run.ts';
import { describeVerified, type LedgerReport } from '../domain/ledger-report.ts';
import { whileAlive } from './progress.ts';

export type VerificationDeps = {
  db: Db;
  /** Receives the report of each verification that ran to its end. */
  ledgerVerified?: (report: LedgerReport) => void;
};
/** A run that the release before this one has begun verifies the whole, slice by slice. */
export type VerificationPosition = RunPosition | WholePosition;
export type VerificationSlice = RunSlice | WholeSlice;

/** The ledger does not add up. The service cannot repair that itself. */
class LedgerNotWhole extends Error {
  override readonly name = 'LedgerNotWhole';
}

/**
 * The daily verification of the ledger. It changes nothing but its own records, and each step may
 * run any number of times.
 */
export function createVerificationActivities({ db, ledgerVerified }: VerificationDeps) {
  return {
    /** Takes the next step of a verification, the first one when `position` is null. */
    async verifyLedgerSlice(position: VerificationPosition | null): Promise<VerificationSlice> {
      const isOfWhole = position !== null && 'part' in position;
      return whileAlive<VerificationSlice>(
        isOfWhole ? verifySlice(db, position) : verifyNext(db, position),
      );
    },

    /** Publishes a finished verification. Throws LedgerNotWhole when it found problems. */
    async concludeLedgerAudit(report: LedgerReport): Promise<void> {
      ledgerVerified?.(report);
      if (report.violations === 0) return;
      throw new LedgerNotWhole(
        `The ledger is not whole: ${report.violations} problems. ${report.first.join('; ')}. ` +
          `${describeVerified(report)} Run npm run verify, freeze the wallets it names, and ` +
          'compare them with a backup: docs/operating.md says how.',
      );
    },
  };
}
