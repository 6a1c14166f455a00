import { loadDatabaseUrl, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { lineOf } from '../db/errors.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import { describeVerified, describeViolation } from '../domain/ledger-report.ts';

/** A ledger that does not add up has a status of its own, which no other trouble can take. */
const STATUS = { whole: 0, notWhole: 1, cannotAsk: 2 } as const;

/** Verifies the whole ledger, prints what was found, and returns the exit status. */
async function main(): Promise<number> {
  const db = connect(loadOrExit(loadDatabaseUrl, STATUS.cannotAsk), 1, 'loyalty-verify');
  try {
    const verification = await verifyLedger(db);
    const { violations } = verification;
    const isWhole = violations.length === 0;
    const lines = [describeVerified(verification), ...violations.map(describeViolation)];
    lines.push(isWhole ? 'Every wallet adds up.' : 'The ledger is NOT whole.');
    process.stdout.write(`${lines.join('\n')}\n`);
    return isWhole ? STATUS.whole : STATUS.notWhole;
  } catch (error) {
    process.stderr.write(`The ledger could not be verified: ${lineOf(error)}\n`);
    return STATUS.cannotAsk;
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main();
