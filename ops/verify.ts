import { parseArgs } from 'node:util';
import { verifyAllStatements } from '../activities/statements/verify-statements.ts';
import { ConfigError, loadDatabaseUrl, loadOrExit, loadWorkerConfig } from '../config.ts';
import { connect, type Db } from '../db/connection.ts';
import { lineOf } from '../db/errors.ts';
import {
  estimateRows,
  type LedgerVerification,
  NO_ID,
  verifyLedger,
} from '../db/ledger/verification.ts';
import { verifyPhases } from '../db/ledger/verification-run.ts';
import { listAfter } from '../db/statements/verification.ts';
import {
  describeVerified,
  describeViolation,
  type LedgerViolation,
  type VerificationCounts,
} from '../domain/ledger-report.ts';
import { statementKeysFor } from '../gateways/crypto/statement-keys.ts';
import { createObjectStore } from '../gateways/objects/create-store.ts';
import { showProgress } from './progress.ts';

/** A ledger that does not add up has a status of its own, which no other trouble can take. */
const STATUS = { whole: 0, notWhole: 1, cannotAsk: 2 } as const;

const USAGE = `Usage: npm run verify -- [--since-checkpoint] [--next-part] [--json]

Verifies the whole ledger and changes nothing. With the configuration of the worker, it also
compares the ledger with the signed statements. With options, it does and records what the daily
verification does:
  --since-checkpoint  what moved since the last verification
  --next-part         the next of twenty-eight parts of the whole, from the first entries on
  --json              prints one JSON object: isWhole, what was counted, and the violations
`;

type Options = { 'since-checkpoint'?: boolean; 'next-part'?: boolean; json?: boolean };

/** Verifies the ledger, prints what was found, and returns the exit status. */
async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return STATUS.cannotAsk;
  const db = connect(loadOrExit(loadDatabaseUrl, STATUS.cannotAsk), 1, 'loyalty-verify');
  try {
    const verification = await verify(db, options);
    const statements = isAll(options) ? await compareStatements(db) : NO_STATEMENTS;
    const violations = [...verification.violations, ...statements.violations];
    const isWhole = violations.length === 0;
    if (options.json === true) {
      const found = { isWhole, ...verification, statements: statements.statements, violations };
      process.stdout.write(`${JSON.stringify(found)}\n`);
      return isWhole ? STATUS.whole : STATUS.notWhole;
    }
    const lines = [
      describeVerified(verification),
      ...statements.lines,
      ...violations.map(describeViolation),
    ];
    lines.push(isWhole ? wholeOf(options) : 'The ledger is NOT whole.');
    process.stdout.write(`${lines.join('\n')}\n`);
    return isWhole ? STATUS.whole : STATUS.notWhole;
  } catch (error) {
    process.stderr.write(`The ledger could not be verified: ${lineOf(error)}\n`);
    return STATUS.cannotAsk;
  } finally {
    await db.destroy();
  }
}

async function verify(db: Db, options: Options): Promise<LedgerVerification> {
  if (isAll(options)) {
    const progress = showProgress('rows', await estimateRows(db));
    const reached = ({ wallets, entries, payments, redemptions }: VerificationCounts) =>
      progress.at(wallets + entries + payments + redemptions);
    return await verifyLedger(db, reached).finally(progress.end);
  }
  const moved = options['since-checkpoint'] ? (['moved'] as const) : [];
  const part = options['next-part'] ? (['part'] as const) : [];
  return verifyPhases(db, { phases: [...moved, ...part, 'problems'] });
}

type Compared = { statements: number; violations: LedgerViolation[]; lines: string[] };
const NO_STATEMENTS: Compared = { statements: 0, violations: [], lines: [] };

/** Compares the ledger with what was signed about it, which a rewritten ledger contradicts. */
async function compareStatements(db: Db): Promise<Compared> {
  if ((await listAfter(db, NO_ID, 1)).length === 0) return NO_STATEMENTS;
  const deps = statementDeps();
  if (deps === undefined) {
    const line = 'Signatures were NOT checked: that needs the configuration of the worker.';
    return { ...NO_STATEMENTS, lines: [line] };
  }
  const { statements, violations } = await verifyAllStatements({ db, ...deps });
  return { statements, violations, lines: [`Compared ${statements} signed statements.`] };
}

/** The keys and the object store; undefined where the configuration is not there. */
function statementDeps() {
  try {
    const config = loadWorkerConfig();
    const statementKeys = statementKeysFor({
      encryptionKeys: config.ENCRYPTION_KEY,
      signingKeys: config.STATEMENT_SIGNING_KEY,
      publicKeys: config.STATEMENT_PUBLIC_KEYS,
    });
    const objects = createObjectStore({
      url: config.OBJECT_STORE_URL,
      accessKeyId: config.AWS_ACCESS_KEY_ID,
      secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    });
    return { statementKeys, objects };
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const isAll = (options: Options) => !options['since-checkpoint'] && !options['next-part'];

const wholeOf = (options: Options) =>
  isAll(options) ? 'Every wallet adds up.' : 'What was checked adds up.';

function readOptions(): Options | undefined {
  const type = 'boolean' as const;
  try {
    const names = { 'since-checkpoint': { type }, 'next-part': { type }, json: { type } };
    return parseArgs({ options: names }).values;
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n\n${USAGE}`);
    return undefined;
  }
}

process.exitCode = await main();
