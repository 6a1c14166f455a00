import type { Db } from '../db/connection.ts';
import {
  type VerificationPosition,
  type VerificationSlice,
  verifySlice,
} from '../db/ledger/verification.ts';
import { describeVerified, type LedgerReport } from '../domain/ledger-report.ts';

export type VerificationDeps = {
  db: Db;
  /** Told of each audit that came to its end. */
  ledgerVerified?: (report: LedgerReport) => void;
};
export type { VerificationPosition, VerificationSlice };

/** What stands in the ledger does not add up. Nothing the service does can mend it. */
class LedgerNotWhole extends Error {
  override readonly name = 'LedgerNotWhole';
}

/** The daily audit of the ledger. It changes nothing, so each step may run any number of times. */
export function createVerificationActivities({ db, ledgerVerified }: VerificationDeps) {
  return {
    /** Audits the next slice of the ledger, from the start when `place` is null. */
    async verifyLedgerSlice(place: VerificationPosition | null): Promise<VerificationSlice> {
      return verifySlice(db, place);
    },

    /** Makes the end of an audit known. Throws LedgerNotWhole, which is reported, if need be. */
    async concludeLedgerAudit(report: LedgerReport): Promise<void> {
      ledgerVerified?.(report);
      if (report.violations === 0) return;
      throw new LedgerNotWhole(
        `The ledger is not whole: ${report.violations} problems. ${report.first.join('; ')}. ` +
          `${describeVerified(report)} Run npm run verify, freeze the wallets it names, and compare ` +
          'them with a backup: docs/operating.md says how.',
      );
    },
  };
}
