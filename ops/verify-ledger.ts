import { parseArgs } from 'node:util';
import { z } from 'zod';
import { verifyAllStatements } from '../activities/statements/verify-statements.ts';
import { loadDatabase, loadWorkerConfig } from '../config.ts';
import { connect, type Db } from '../db/connection.ts';
import { lineOf } from '../db/errors.ts';
import { verifyPhases } from '../db/ledger/verification/run.ts';
import {
  estimateRows,
  NO_ID,
  verifyLedger,
  WALKS,
  type WholePosition,
  type WholeSlice,
} from '../db/ledger/verification/whole.ts';
import { listAfter } from '../db/statements/verification.ts';
import {
  describeVerified,
  describeViolation,
  type LedgerViolation,
} from '../domain/ledger-report.ts';
import { statementKeysFor } from '../gateways/crypto/statement-keys.ts';
import { createObjectStore } from '../gateways/objects/create-store.ts';
import { ConfigError } from '../gateways/setting-files.ts';
import { showProgress } from '../gateways/terminal/progress.ts';
import { UsageError } from './command.ts';
import type { Surroundings } from './surroundings.ts';

/** A ledger that does not add up has a status of its own, which no other trouble can take. */
const STATUS = { whole: 0, notWhole: 1, cannotAsk: 2 } as const;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const USAGE = `Usage: npm run verify -- [--since-checkpoint] [--next-part] [--from PLACE] [--json]

Verifies the whole ledger and changes nothing. With the configuration of the worker, it also
compares the ledger with the signed statements. With options, it does and records what the daily
verification does:
  --since-checkpoint  what moved since the last verification
  --next-part         the next of twenty-eight parts of the whole, from the first entries on
A verification of the whole that was stopped, by Ctrl-C or by an error, says where it goes on:
  --from PLACE        begins there, such as payments/0199b0c4-0000-7000-8000-000000000000
  --json              prints one JSON object: isWhole, what was counted, the violations, and in
                      'next' the place where it was stopped
`;

type Options = {
  'since-checkpoint'?: boolean;
  'next-part'?: boolean;
  json?: boolean;
  from?: WholePosition | undefined;
};

/** Verifies the ledger, prints what was found, and returns the exit status. */
export async function runVerify(argv: string[], around: Surroundings): Promise<number> {
  const { env, write, complain } = around;
  let db: Db | undefined;
  try {
    const options = readOptions(argv);
    db = connect(loadDatabase(env), 1, 'loyalty-verify');
    const verified = await verify(db, options);
    const isComplete = isAll(options) && verified.next === null;
    const compared = isComplete ? await compareStatements(db, env) : NO_STATEMENTS;
    const found = {
      ...verified,
      statements: compared.statements,
      violations: [...verified.violations, ...compared.violations],
      failure: verified.failure ?? compared.failure,
    };
    if (options.json === true) await write(`${JSON.stringify(report(found))}\n`);
    else await write(`${describe(found, compared.lines, options).join('\n')}\n`);
    if (found.failure !== undefined) complain(unverified(found.failure));
    if (found.violations.length > 0) return STATUS.notWhole;
    return isWhole(found) ? STATUS.whole : STATUS.cannotAsk;
  } catch (error) {
    if (error instanceof UsageError) complain(`${error.message}\n\n${USAGE}`);
    else complain(error instanceof ConfigError ? `${error.message}\n` : unverified(error));
    return STATUS.cannotAsk;
  } finally {
    await db?.destroy();
  }
}

type Found = WholeSlice & { statements: number; failure?: unknown };

/** Whether nothing is wrong and nothing was left out. */
function isWhole({ next, violations, failure }: Found): boolean {
  return violations.length === 0 && next === null && failure === undefined;
}

function report(found: Found) {
  const { next, violations, failure: _, ...counts } = found;
  const place = next === null ? null : placeOf(next);
  return { isWhole: isWhole(found), ...counts, violations, next: place };
}

function describe(found: Found, statementLines: readonly string[], options: Options): string[] {
  const lines = [
    describeVerified(found),
    ...statementLines,
    ...found.violations.map(describeViolation),
  ];
  if (found.violations.length > 0) lines.push('The ledger is NOT whole.');
  if (found.next !== null) {
    lines.push(`Stopped. Go on with: npm run verify -- --from ${placeOf(found.next)}`);
  } else if (isWhole(found)) lines.push(wholeOf(options));
  return lines;
}

const placeOf = ({ part, after }: WholePosition) => `${part}/${after}`;
const unverified = (error: unknown) => `The ledger could not be verified: ${lineOf(error)}\n`;

/** What was found, also when it had to stop halfway; throws when nothing was verified. */
async function verify(db: Db, options: Options): Promise<WholeSlice & { failure?: unknown }> {
  if (isAll(options)) return verifyWhole(db, options.from);
  const moved = options['since-checkpoint'] ? (['moved'] as const) : [];
  const part = options['next-part'] ? (['part'] as const) : [];
  const found = await verifyPhases(db, { phases: [...moved, ...part, 'problems'] });
  return { ...found, next: null };
}

async function verifyWhole(db: Db, from: WholePosition | undefined) {
  const stop = new AbortController();
  const abort = () => stop.abort();
  // The second signal of a kind ends the process at once.
  for (const signal of SIGNALS) process.once(signal, abort);
  const progress = await showProgress('rows', () => estimateRows(db));
  let reached: WholeSlice | undefined;
  const onSlice = (soFar: WholeSlice) => {
    reached = soFar;
    const { wallets, entries, payments, redemptions } = soFar;
    progress.at(wallets + entries + payments + redemptions);
  };
  try {
    return await verifyLedger(db, { from, signal: stop.signal, onSlice });
  } catch (failure) {
    if (reached === undefined) throw failure;
    return { ...reached, failure };
  } finally {
    progress.end();
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}

type Compared = {
  statements: number;
  violations: LedgerViolation[];
  lines: string[];
  failure?: unknown;
};
const NO_STATEMENTS: Compared = { statements: 0, violations: [], lines: [] };

/**
 * Compares the ledger with what was signed about it, which a rewritten ledger contradicts. Never
 * rejects: what was found of the ledger has to be told also while the object store is away.
 */
async function compareStatements(db: Db, env: Surroundings['env']): Promise<Compared> {
  try {
    if ((await listAfter(db, NO_ID, 1)).length === 0) return NO_STATEMENTS;
    const deps = statementDeps(env);
    if (deps === undefined) {
      const line = 'Signatures were NOT checked: that needs the configuration of the worker.';
      return { ...NO_STATEMENTS, lines: [line] };
    }
    const { statements, violations } = await verifyAllStatements({ db, ...deps });
    return { statements, violations, lines: [`Compared ${statements} signed statements.`] };
  } catch (failure) {
    return { ...NO_STATEMENTS, failure };
  }
}

/** The keys and the object store; undefined where the configuration is not there. */
function statementDeps(env: Surroundings['env']) {
  try {
    const config = loadWorkerConfig(env);
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

const isAll = (options: Pick<Options, 'since-checkpoint' | 'next-part'>) =>
  !options['since-checkpoint'] && !options['next-part'];

const wholeOf = (options: Options) =>
  isAll(options) ? 'Every wallet adds up.' : 'What was checked adds up.';

/** The two halves of a place. */
const Place = z.tuple([z.enum(WALKS), z.uuid()]);

function readOptions(args: string[]): Options {
  const type = 'boolean' as const;
  try {
    const flags = { 'since-checkpoint': { type }, 'next-part': { type }, json: { type } };
    const { values } = parseArgs({ args, options: { ...flags, from: { type: 'string' } } });
    if (values.from === undefined) return { ...values, from: undefined };
    if (!isAll(values)) throw new Error('--from is for a verification of the whole.');
    const { data: place } = Place.safeParse(values.from.split('/'));
    if (place === undefined)
      throw new Error(`--from ${values.from}: not a place such as wallets/ID.`);
    return { ...values, from: { part: place[0], after: place[1] } };
  } catch (error) {
    throw new UsageError(lineOf(error));
  }
}
