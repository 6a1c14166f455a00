import type { Db } from '../db/connection.ts';
import {
  type VerificationPosition,
  type VerificationSlice,
  verifySlice,
} from '../db/ledger/verification.ts';
import { describeVerified, type LedgerReport } from '../domain/ledger-report.ts';
import { whileAlive } from './progress.ts';

export type VerificationDeps = {
  db: Db;
  /** Receives the report of each verification that ran to its end. */
  ledgerVerified?: (report: LedgerReport) => void;
};
export type { VerificationPosition, VerificationSlice };

/** The ledger does not add up. The service cannot repair that itself. */
class LedgerNotWhole extends Error {
  override readonly name = 'LedgerNotWhole';
}

/**
 * The daily verification of the ledger. It changes nothing, so each step may run any number of
 * times.
 */
export function createVerificationActivities({ db, ledgerVerified }: VerificationDeps) {
  return {
    /** Verifies the next slice of the ledger, from the start when `position` is null. */
    async verifyLedgerSlice(position: VerificationPosition | null): Promise<VerificationSlice> {
      return whileAlive(verifySlice(db, position));
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
