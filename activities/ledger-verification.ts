import type { Db } from '../db/connection.ts';
import { type RunPosition, verifyNext } from '../db/ledger/verification/run.ts';
import type { LedgerVerification } from '../db/ledger/verification/whole.ts';
import * as kept from '../db/statements/verification.ts';
import { describeVerified, type LedgerReport, NOTHING_VERIFIED } from '../domain/ledger-report.ts';
import { ObjectStoreUnavailable } from '../gateways/objects/store.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { whileAlive } from './progress.ts';
import {
  STATEMENTS_PER_STEP,
  type StatementsToVerify,
  verifyStatements,
} from './statements/verify-statements.ts';

export type VerificationDeps = StatementsToVerify & {
  db: Db;
  log: Logger;
  /** Receives the report of each verification that ran to its end. */
  ledgerVerified?: (report: LedgerReport) => void;
};
/** How far the statements of a run are verified, how many are left, and whether all were right. */
type StatementPosition = { statements: { after: string; rows: number; isRight: boolean } };
export type VerificationPosition = RunPosition | StatementPosition;
export type VerificationSlice = LedgerVerification & { next: VerificationPosition | null };

/** The ledger does not add up. The service cannot repair that itself. */
class LedgerNotWhole extends Error {
  override readonly name = 'LedgerNotWhole';
}

/**
 * The daily verification of the ledger. It changes nothing but its own records, and each step may
 * run any number of times.
 */
export function createVerificationActivities(deps: VerificationDeps) {
  return {
    /** Takes the next step of a verification, the first one when `position` is null. */
    async verifyLedgerSlice(position: VerificationPosition | null): Promise<VerificationSlice> {
      return whileAlive<VerificationSlice>(takeStep(deps, position));
    },

    /** Publishes a finished verification. Throws LedgerNotWhole when it found problems. */
    async concludeVerification(report: LedgerReport): Promise<void> {
      deps.ledgerVerified?.(report);
      if (report.violations === 0) return;
      throw new LedgerNotWhole(
        `The ledger is not whole: ${report.violations} problems. ${report.first.join('; ')}. ` +
          `${describeVerified(report)} Run npm run verify, freeze the wallets it names, and ` +
          'compare them with a backup: docs/operating.md says how.',
      );
    },
  };
}

async function takeStep(
  deps: VerificationDeps,
  position: VerificationPosition | null,
): Promise<VerificationSlice> {
  const { db } = deps;
  if (position !== null && 'statements' in position) return statementStep(deps, position);
  const slice = await verifyNext(db, position);
  if (slice.next !== null) return slice;
  return { ...slice, next: { statements: { ...(await kept.nextPart(db)), isRight: true } } };
}

/** Verifies the next statements of a run. Without the object store, they are left to later runs. */
async function statementStep(
  deps: VerificationDeps,
  { statements: { after, rows, isRight } }: StatementPosition,
): Promise<VerificationSlice> {
  const { db, log } = deps;
  try {
    const limit = Math.min(rows, STATEMENTS_PER_STEP);
    const { violations, statements, last } = await verifyStatements(deps, { after, limit });
    const areRight = isRight && violations.length === 0;
    // What is wrong is verified again by the next run, and so is what follows it.
    if (areRight) await kept.recordVerified(db, last);
    const left = rows - statements;
    const place = last === null || left <= 0 ? null : { after: last, rows: left };
    const next = place && { statements: { ...place, isRight: areRight } };
    return { ...NOTHING_VERIFIED, violations, next };
  } catch (err) {
    if (!(err instanceof ObjectStoreUnavailable)) throw err;
    log.warn({ event: 'statements_not_verified', err }, 'Statements are verified by the next run');
    return { ...NOTHING_VERIFIED, violations: [], next: null };
  }
}
