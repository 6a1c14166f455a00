import { type ErrorCode, type IssueCode, Refusal } from '../domain/errors.ts';
import { WrongInstallation } from './installation.ts';

type Meaning = { code: ErrorCode; message: string; why?: IssueCode };

const INSUFFICIENT_BALANCE: Meaning = {
  code: 'INSUFFICIENT_BALANCE',
  message: 'The wallet does not hold that many points.',
  why: 'insufficient_balance',
};

/** The constraints whose violation is explained to the client. Any other violation is a bug. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ['wallets_balance_not_negative', INSUFFICIENT_BALANCE],
  // The entry is written before the balance, so a debit beyond the balance violates this one.
  ['ledger_entries_balance_not_negative', INSUFFICIENT_BALANCE],
  [
    'reward_rules_one_row_per_version',
    {
      code: 'IDEMPOTENCY_REPLAY',
      message: 'Another rule of this tenant is being published. Try again.',
    },
  ],
]);

/** Returns the name of the constraint that a Postgres error reports, if it reports one. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

/** What runtimes know that Postgres does not, or no longer: they have a list of their own each. */
const UNKNOWN_ZONE: Meaning = {
  code: 'VALIDATION_ERROR',
  message: 'The database does not know this time zone. Name the nearest city that is one.',
  why: 'invalid',
};
const INVALID_PARAMETER = '22023';
const isZoneUnknown = (error: unknown) =>
  codeOf(error) === INVALID_PARAMETER && /time zone ".*" not recognized$/.test(lineOf(error));

/**
 * Returns the refusal that a violated constraint, or an unknown time zone, stands for; undefined
 * for any other error.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  const meaning = isZoneUnknown(error)
    ? UNKNOWN_ZONE
    : MEANINGS.get(violatedConstraint(error) ?? '');
  return meaning && new Refusal(meaning.code, meaning.message, meaning.why);
}

/**
 * Whether a sale was decided as somebody's first purchase while another one became it: decided
 * again, it is not any more.
 */
export function isSecondPurchase(error: unknown): boolean {
  return violatedConstraint(error) === 'campaign_awards_one_first_purchase';
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);
/**
 * Class 08: lost connection. 28: refused login. 53: out of disk, memory or connections.
 * 57P01–57P03: server stopping or starting. 25006: read-only, as a standby is.
 */
const UNREACHABLE_STATE = /^(08...|28...|53...|57P0[123]|25006)$/;
/** The driver and the pool identify some failures only by their message. */
const UNREACHABLE_MESSAGE = new RegExp(
  [
    'Connection terminated',
    'is not queryable',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'acquiring a connection',
    'Unable to acquire a connection',
  ].join('|'),
);

/** Whether the error means that Postgres cannot be reached, or takes nothing, for now. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    error instanceof WrongInstallation ||
    UNREACHABLE.has(code) ||
    UNREACHABLE_STATE.test(code) ||
    UNREACHABLE_MESSAGE.test(error.message)
  );
}

/**
 * Whether a request may succeed later: the database takes nothing, or has cancelled its statement.
 */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseUnreachable(error) || isCancelled(error);
}

/** Whether the database refuses the login, such as for a password that was changed. */
export function isLoginRefused(error: unknown): boolean {
  return /^28/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** An error in one line, for people: its message, or those of the errors it is made of. */
export function lineOf(error: unknown): string {
  const isMany = error instanceof AggregateError && error.message === '';
  if (isMany) return error.errors.map(lineOf).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Whether the data is at fault, so that repeating the statement cannot help. SQLSTATE class 22 is
 * an invalid value, 23 a violated constraint, 54 an exceeded limit.
 */
export function isDataError(error: unknown): boolean {
  return /^(22|23|54)[0-9A-Z]{3}$/.test(codeOf(error));
}

/**
 * SQLSTATE classes of errors that pass: 40 is a deadlock or a serialization failure, 25P03 a wait
 * that took too long.
 */
const TRANSIENT_STATE = /^(40...|25P03)$/;

/**
 * Whether the database is in trouble at this moment, whatever it was asked. Any other error is the
 * fault of something that was asked, and would be the same for that alone.
 */
export function isTransientError(error: unknown): boolean {
  return isDatabaseUnreachable(error) || TRANSIENT_STATE.test(codeOf(error));
}

/** Whether somebody else holds a row for longer than the statement may wait for it. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Whether the statement took longer than a statement may, or was cancelled by hand. */
export function isCancelled(error: unknown): boolean {
  return codeOf(error) === '57014';
}
