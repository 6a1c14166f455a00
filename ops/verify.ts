import { loadDatabaseUrl, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import { describeVerified, describeViolation } from '../domain/ledger-report.ts';

const db = connect(loadOrExit(loadDatabaseUrl), 1, 'loyalty-verify');
try {
  const verification = await verifyLedger(db);
  const lines = [describeVerified(verification), ...verification.violations.map(describeViolation)];
  lines.push(
    verification.violations.length === 0 ? 'Every wallet adds up.' : 'The ledger is NOT whole.',
  );
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = verification.violations.length === 0 ? 0 : 1;
} finally {
  await db.destroy();
}
