import { loadDatabaseUrl, loadOrExit } from '../config.ts';
import { connect } from '../db/connection.ts';
import { auditLedger, type LedgerViolation } from '../db/ledger-audit.ts';

/** A whole ledger is read in one statement, which may take as long as it needs. */
const NO_TIMEOUT_MS = 0;

const db = connect(loadOrExit(loadDatabaseUrl), 1, 'loyalty-verify', NO_TIMEOUT_MS);
try {
  const { wallets, entries, violations } = await auditLedger(db);
  process.stdout.write(`Checked ${entries} entries of ${wallets} wallets.\n`);
  for (const violation of violations) process.stdout.write(`${describe(violation)}\n`);
  process.stdout.write(violations.length === 0 ? 'Every wallet adds up.\n' : 'NOT whole.\n');
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  await db.destroy();
}

function describe({ walletId, tenantId, seq, problem }: LedgerViolation): string {
  const where = seq === null ? 'snapshot' : `entry ${seq}`;
  return `wallet ${walletId} of tenant ${tenantId}, ${where}: ${problem}`;
}
