import knex, { type Knex } from 'knex';
import pg from 'pg';

/** The database by its pool: a statement may use any connection and is a transaction of its own. */
export type Db = Knex;
/** An open transaction. A function that takes one must run inside a transaction. */
export type Tx = Knex.Transaction;

/**
 * No statement of the service takes longer. One that does is stuck, and must not keep its locks.
 */
const STATEMENT_TIMEOUT_MS = 15_000;
/**
 * Every statement of the service can use an index. While a table is small, Postgres would prefer to
 * scan it, and would go on scanning as it grows, because a session keeps the plans of its
 * foreign-key checks and named statements. Where a scan is the only way, it is still used.
 */
const PLANNING = '-c enable_seqscan=off -c jit=off';

const ACQUIRE_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BIGINT_OID = 20;

/**
 * Opens a pool for a Postgres URL. Columns are returned in camelCase, bigints as numbers (the
 * tables keep them within 2^53), numerics as decimal text, timestamps as Date.
 */
export function connect(
  url: string,
  poolMax: number,
  applicationName: string,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Db {
  return knex({
    client: 'pg',
    connection: {
      connectionString: url,
      options: PLANNING,
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      types: { getTypeParser },
    },
    // An error shows the statement without its bindings, which are personal data.
    compileSqlOnError: false,
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    pool: { min: 0, max: poolMax, acquireTimeoutMillis: ACQUIRE_TIMEOUT_MS },
    postProcessResponse: camelRows,
    wrapIdentifier: (name, original) => original(snake(name)),
  });
}

/**
 * Opens the same database with a single connection, so that state of the session persists. The
 * caller must `destroy` it.
 */
export function oneSession(db: Db): Db {
  const { config }: { config: Knex.Config } = db.client;
  return knex({ ...config, pool: { min: 1, max: 1 } });
}

export type PoolUse = { used: number; free: number; waiting: number; max: number };

/** Returns how many connections a pool uses, has free and may open, and how many callers wait. */
export function poolUse(db: Db): PoolUse {
  const { pool, config }: { pool?: Counts; config: Knex.Config } = db.client;
  const max = typeof config.pool === 'object' ? (config.pool.max ?? 0) : 0;
  if (pool === undefined) return { used: 0, free: 0, waiting: 0, max };
  return {
    used: pool.numUsed(),
    free: pool.numFree(),
    waiting: pool.numPendingAcquires(),
    max,
  };
}

type Counts = { numUsed(): number; numFree(): number; numPendingAcquires(): number };

/** A larger batch is planned each time: a plan made for few rows would process it row by row. */
const MAX_ROWS_OF_A_KEPT_PLAN = 10;

/**
 * Lets Postgres keep the plan of a statement that often runs with few rows, where planning takes
 * longer than execution. A `name` must always stand for the same statement text.
 */
export function withKeptPlan<T>(statement: Knex.Raw<T>, name: string, rows: number): Knex.Raw<T> {
  return rows > MAX_ROWS_OF_A_KEPT_PLAN ? statement : statement.options({ name });
}

function getTypeParser(oid: number, format: string) {
  if (oid === BIGINT_OID) return Number;
  return format === 'binary'
    ? pg.types.getTypeParser(oid, 'binary')
    : pg.types.getTypeParser(oid, 'text');
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const camelNames = new Map<string, string>();

function camel(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const made = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, made);
  return made;
}

function camelRows(response: unknown): unknown {
  if (Array.isArray(response)) return response.map(camelKeys);
  if (isResult(response)) response.rows = response.rows.map(camelKeys);
  else return camelKeys(response);
  return response;
}

function isResult(value: unknown): value is { rows: unknown[] } {
  return (
    typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows)
  );
}

// Only column names are converted: keys inside jsonb are data and stay as they were stored.
function camelKeys(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Object.getPrototypeOf(row) === Date.prototype) {
    return row;
  }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]));
}
