import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { DatabasePlace } from '../domain/installation.ts';
import { requireOurs } from './installation.ts';
import { createLogin, type Login } from './login.ts';
import { openSession, type RawConnection, sessionSettings } from './session-settings.ts';
import { traceStatements } from './traced-statements.ts';

/** The database by its pool: a statement may use any connection and is a transaction of its own. */
export type Db = Knex;
/** An open transaction. A function that takes one must run inside a transaction. */
export type Tx = Knex.Transaction;

const ACQUIRE_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the minute after which idle processes look again, so that they need not log in. */
const IDLE_TIMEOUT_MS = 150_000;
const LOOK_FOR_IDLE_EVERY_MS = 10_000;
const BIGINT_OID = 20;

/**
 * Opens a pool for a Postgres URL, or for a place, whose connections are refused where it is not
 * what it has to be. Columns are returned in camelCase, bigints as numbers (the tables keep them
 * within 2^53), numerics as decimal text, timestamps as Date.
 */
export function connect(
  at: string | DatabasePlace,
  poolMax: number,
  applicationName: string,
  statementTimeoutMs?: number,
): Db {
  const place: DatabasePlace = typeof at === 'string' ? { url: at } : at;
  const { url, installation, hasProgrammes = true } = place;
  const settings = sessionSettings(statementTimeoutMs);
  const prepare = async (connection: RawConnection) => {
    traceStatements(connection);
    await openSession(connection, settings);
    if (installation !== undefined) await requireOurs(connection, installation);
  };
  const config: Config = {
    hasProgrammes,
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      types: { getTypeParser },
    },
    // An error shows the statement without its bindings, which are personal data.
    compileSqlOnError: false,
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    pool: {
      min: 0,
      max: poolMax,
      acquireTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      reapIntervalMillis: LOOK_FOR_IDLE_EVERY_MS,
      afterCreate(connection: RawConnection, done: (error?: unknown) => void) {
        prepare(connection).then(
          () => done(),
          (error) => connection.end().then(() => done(error)),
        );
      },
    },
    postProcessResponse: camelRows,
    wrapIdentifier: (name, original) => original(snake(name)),
  };
  const db = knex(config);
  logIn(db, createLogin(place));
  return db;
}

/** A pool's settings, which its transactions share, and theirs; knex's `userParams` end there. */
type Config = Knex.Config & { hasProgrammes?: boolean };

/** Whether the programmes of shops are applied by what uses this pool. */
export function appliesProgrammes(db: Db): boolean {
  const { config }: { config: Config } = db.client;
  return config.hasProgrammes !== false;
}

/** What is used of knex's own client. */
type Client = {
  connectionSettings: { connectionString: string };
  acquireRawConnection(): Promise<RawConnection>;
  destroyRawConnection(connection: RawConnection): Promise<void>;
};

const logins = new WeakMap<Db, Login>();

/** Has a pool open its connections by a login, whose address may change. */
function logIn(db: Db, login: Login): void {
  const client: Client = db.client;
  const open = client.acquireRawConnection.bind(client);
  logins.set(db, login);
  client.acquireRawConnection = () =>
    login.open((address) => {
      client.connectionSettings.connectionString = address;
      return open();
    });
}

/** Whether the database lets us in, and write: a standby that was not promoted does not. */
export async function takesRequests(db: Db): Promise<boolean> {
  await requireLogin(db);
  const { rows } = await db.raw<{ rows: { isReadOnly: boolean }[] }>(
    `select current_setting('transaction_read_only')::boolean as is_read_only`,
  );
  return rows[0]?.isReadOnly === false;
}

/** Logs in if the last login was refused; throws if it still is. Else it asks nothing. */
async function requireLogin(db: Db): Promise<void> {
  if (!logins.get(db)?.isRefused()) return;
  const client: Client = db.client;
  await client.destroyRawConnection(await client.acquireRawConnection());
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

/**
 * Lets Postgres keep the plan of a statement, which takes as long to plan as to run. A `name` must
 * always stand for the same statement text.
 */
export function withKeptPlan<T>(statement: Knex.Raw<T>, name: string): Knex.Raw<T> {
  return statement.options({ name });
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
