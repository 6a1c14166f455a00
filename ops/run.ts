import { parseArgs } from 'node:util';
import { loadDatabase, loadOperator, loadSettings, loadTemporalPlace } from '../config.ts';
import { connect, type Db } from '../db/connection.ts';
import { lineOf, refusalOf } from '../db/errors.ts';
import { ConfigError } from '../gateways/setting-files.ts';
import { backdateConnection } from './backdate-connection.ts';
import { checkProofFile } from './check-proof.ts';
import { type Call, type Command, type Options, UsageError } from './command.ts';
import { connections } from './connections.ts';
import { decideTiers } from './decide-tiers.ts';
import { disconnect } from './disconnect.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { dismissEvents, listEvents, replayEvents, showEvent } from './events.ts';
import { expirePoints, expiryNotices } from './expire-points.ts';
import { exportAuditLog } from './export-audit-log.ts';
import { exportLedger } from './export-ledger.ts';
import { operatorOf } from './operator.ts';
import { showPayment } from './payment.ts';
import { grantAdmin, reinstate, suspend } from './people.ts';
import { publishProgramme } from './publish-programme.ts';
import { recount } from './recount.ts';
import { showRedemption } from './redemption.ts';
import { replay } from './replay.ts';
import { rotateKeys } from './rotate-keys.ts';
import { setCurrency } from './set-currency.ts';
import { setTimeZone } from './set-time-zone.ts';
import { closeTenant, listShops, reinstateTenant, suspendTenant } from './shops.ts';
import { printStatement } from './sql.ts';
import { statementKeys } from './statement-keys.ts';
import type { Surroundings } from './surroundings.ts';
import { checkGaps, truth } from './truth.ts';

const COMMANDS: readonly Command[] = [
  doctor,
  listShops,
  suspend,
  reinstate,
  grantAdmin,
  suspendTenant,
  reinstateTenant,
  closeTenant,
  listEvents,
  showEvent,
  replayEvents,
  dismissEvents,
  showPayment,
  showRedemption,
  connections,
  disconnect,
  replay,
  setCurrency,
  setTimeZone,
  publishProgramme,
  expirePoints,
  expiryNotices,
  decideTiers,
  erase,
  truth,
  checkGaps,
  backdateConnection,
  recount,
  rotateKeys,
  exportLedger,
  exportAuditLog,
  checkProofFile,
  statementKeys,
  printStatement,
];

export const STATUS = { done: 0, failed: 1, usage: 2, undecided: 3 } as const;
/** Long, because a command may scan a whole table. */
const STATEMENT_TIMEOUT_MS = 300_000;

/** Runs the command that the arguments name, and returns the exit status. */
export async function runOps(argv: string[], around: Surroundings): Promise<number> {
  try {
    const { command, args, options, json } = read(argv);
    if (command === undefined) {
      await around.write(usage());
      return STATUS.done;
    }
    return await run(command, { args, options, json }, around);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const message =
      error instanceof ConfigError ? error.message : lineOf(refusalOf(error) ?? error);
    around.complain(isUsage ? `${message}\n\n${usage()}` : `${message}\n`);
    return isUsage ? STATUS.usage : STATUS.failed;
  }
}

async function run(
  command: Command,
  { args, options, json }: { args: string[]; options: Options; json: boolean },
  { env, write }: Surroundings,
): Promise<number> {
  let db: Db | undefined;
  const call: Call = {
    args,
    options,
    json,
    get db() {
      db ??= connect(loadDatabase(env), 1, 'loyalty-ops', STATEMENT_TIMEOUT_MS);
      return db;
    },
    settings: (schema) => loadSettings(schema, env),
    temporal: () => loadTemporalPlace(env),
    database: () => loadDatabase(env),
    operator: operatorOf(loadOperator(env)),
    write,
  };
  try {
    const done = await command.run(call);
    if (done === null) return STATUS.done;
    await write(json ? `${JSON.stringify(done.data, null, 2)}\n` : done.text);
    if (done.undecided) return STATUS.undecided;
    return done.failed ? STATUS.failed : STATUS.done;
  } finally {
    await db?.destroy();
  }
}

function read(argv: string[]) {
  const { values, positionals } = parsed(argv);
  const { json = false, help = false, ...options } = values;
  if (help) return { command: undefined, args: [], options, json };
  const command = COMMANDS.find((each) => {
    const words = wordsOf(each);
    return words.every((word, index) => positionals[index] === word);
  });
  if (command === undefined) {
    const named = positionals.length === 0 ? 'A command is missing.' : 'There is no such command.';
    throw new UsageError(named);
  }
  const allowed: readonly string[] = command.options ?? [];
  const unknown = Object.keys(options).find((name) => !allowed.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--${unknown} is not an option of ${wordsOf(command).join(' ')}.`);
  }
  return { command, args: positionals.slice(wordsOf(command).length), options, json };
}

function parsed(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        tenant: { type: 'string' },
        correlation: { type: 'string' },
        kind: { type: 'string' },
        limit: { type: 'string' },
        after: { type: 'string' },
        workflow: { type: 'string' },
        key: { type: 'string' },
        earlier: { type: 'string' },
        reason: { type: 'string' },
        at: { type: 'string' },
        to: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The name of a command: the leading lower-case words of its usage. */
function wordsOf({ usage }: Command): string[] {
  const words = usage.split(' ');
  const end = words.findIndex((word) => !/^[a-z-]+$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

function usage(): string {
  const lines = COMMANDS.map((command) => `  ${command.usage}\n      ${command.summary}.\n`);
  return (
    `npm run ops -- COMMAND [--json]\n\n${lines.join('')}\n` +
    'EMAIL may also be the id of a user. DATABASE_URL names the database. Besides it,\n' +
    'grant-admin needs ADMIN_EMAIL_DOMAIN, as does suspend for an administrator, set-currency\n' +
    'PAYMENT_REFUNDS, erase and rotate-keys ENCRYPTION_KEY, statement-keys the keys that it\n' +
    'prints, and replay TEMPORAL_*; check-proof needs nothing. All of it is in the environment\n' +
    'of a worker; doctor sees the keys of webhooks only in that of an API.\n' +
    '--json prints JSON.\n' +
    'The exit status is 0 for success, 1 for a failure, 2 for an invalid command line, and 3\n' +
    'for a proof that is not signed yet. The audit log names OPERATOR, else the login.\n'
  );
}
