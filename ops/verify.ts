import { loadDatabaseUrl, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { verifyLedger } from '../db/ledger/verification.ts';
import { describeVerified, describeViolation } from '../domain/ledger-report.ts';

const db = connect(loadOrExit(loadDatabaseUrl), 1, 'loyalty-verify');
try {
  const audit = await verifyLedger(db);
  const lines = [describeVerified(audit), ...audit.violations.map(describeViolation)];
  lines.push(audit.violations.length === 0 ? 'Every wallet adds up.' : 'NOT whole.');
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = audit.violations.length === 0 ? 0 : 1;
} finally {
  await db.destroy();
}
