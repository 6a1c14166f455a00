import type { Knex } from 'knex';

// Every session of the service has limits, so that nothing that is stuck keeps its locks, and costs
// by which the planner goes. They are settings of the service's role: a pooler that gives its
// connections to another client after each transaction refuses or loses what one client sets.
// Without a pooler, a session sets what its role lacks when it is opened.

/** No statement of the service takes longer; one that does is stuck. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** Settings by name, as Postgres keeps them: times in milliseconds. */
export type SessionSettings = Readonly<Record<string, string>>;

/** Returns the settings of sessions whose statements may take that long; 0 means without limit. */
export function sessionSettings(statementTimeoutMs = STATEMENT_TIMEOUT_MS): SessionSettings {
  return {
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(STATEMENT_TIMEOUT_MS),
    // To compile a statement takes longer than to run it, at any size of the tables.
    jit: 'off',
    // Tables grow while plans are kept: a plan made for twenty users would read all users for each
    // sale, until the table is analysed again. With this cost it looks rows up even in one page. It
    // is for all sessions: no statement reads a whole table, sums and the verification go by pages.
    random_page_cost: '0.1',
  };
}

/** What is used of the driver's connection. */
export type RawConnection = {
  /** The process that answered when the connection was opened: Postgres's, or a pooler's own. */
  processID: number | null;
  query<Found>(text: string): Promise<{ rows: Found[] }>;
  end(): Promise<void>;
};

type Row = { name: string; setting: string; pid: number };

/**
 * Sets what a new session lacks of the settings. Behind a pooler it sets nothing, since the next
 * statement may use another connection: there the role's settings count.
 */
export async function openSession(
  connection: RawConnection,
  wanted: SessionSettings,
): Promise<void> {
  const { rows } = await connection.query<Row>(SETTINGS(wanted));
  if (rows.some(({ pid }) => pid !== connection.processID)) return;
  const isLacking = rows.some(({ name, setting }) => setting !== wanted[name]);
  if (isLacking) await connection.query(settingOf(wanted));
}

const settingOf = (wanted: SessionSettings) =>
  Object.entries(wanted)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join(';');

const SETTINGS = (wanted: SessionSettings) => `
  select name, setting, reset_val as initial, pg_backend_pid() as pid from pg_settings
  where name in (${Object.keys(wanted).map((name) => `'${name}'`)})`;

/**
 * Throws with instructions when statements of the service have no limits, or longer ones than they
 * need: behind a pooler, when the role has no settings. A database that does not answer is left to
 * the requests that need it.
 */
export async function requireLimits(db: Knex): Promise<void> {
  const wanted = sessionSettings();
  const answer = await db.raw<{ rows: Row[] }>(SETTINGS(wanted)).catch(() => undefined);
  const rows = answer?.rows ?? [];
  const limits = rows.filter(({ name }) => name.endsWith('_timeout'));
  const missing = limits.filter(({ name, setting }) => !holds(setting, wanted[name]));
  if (missing.length === 0) return;
  const names = missing.map(({ name, setting }) => `${name} is ${setting}`).join(', ');
  throw new Error(
    `Statements of the service have no limits (${names}). A pooler is in between, so they must ` +
      `be settings of the role: run npm run migrate, or as that role: ${await alteringOf(db)} ` +
      'Then let the pooler open its connections again (RECONNECT at the console of PgBouncer).',
  );
}

/** What is used of knex's own client. */
type Pool = {
  acquireConnection(): Promise<RawConnection>;
  releaseConnection(connection: RawConnection): Promise<void>;
};

/**
 * Returns the settings that sessions of the role do not begin with, each with what it is instead,
 * and whether a pooler is in between, behind which they have to.
 */
export async function findRoleSettings(
  db: Knex,
): Promise<{ lacking: string[]; isPooled: boolean }> {
  const wanted = sessionSettings();
  const pool: Pool = db.client;
  const connection = await pool.acquireConnection();
  try {
    const { rows } = await connection.query<Row & { initial: string }>(SETTINGS(wanted));
    const isRight = ({ name, initial }: (typeof rows)[number]) =>
      name.endsWith('_timeout') ? holds(initial, wanted[name]) : initial === wanted[name];
    return {
      lacking: rows
        .filter((row) => !isRight(row))
        .map(({ name, initial }) => `${name} is ${initial}`),
      isPooled: rows.some(({ pid }) => pid !== connection.processID),
    };
  } finally {
    await pool.releaseConnection(connection);
  }
}

/** A stricter limit than ours holds as well. */
function holds(setting: string, wanted = ''): boolean {
  return Number(setting) > 0 && Number(setting) <= Number(wanted);
}

/** An arbitrary number, the same in every release. */
const LOCK_KEY = 6_402_318;

/**
 * Makes the settings those of the role that the connection logs in as, in this database, so that
 * every session of it starts with them. A role may do this to itself only, unless its owner is
 * privileged. Running it again, or several times at once, changes nothing more.
 */
export async function storeSettings(db: Knex): Promise<void> {
  await db.transaction(async (tx) => {
    // Postgres refuses to change the same role's settings twice at once.
    await tx.raw('select pg_advisory_xact_lock(:key)', { key: LOCK_KEY });
    await tx.raw(await alteringOf(tx));
    // A pooler gives this connection, which is older than the settings, to the service next.
    await tx.raw(settingOf(sessionSettings()));
  });
}

/** The statements that make the settings those of the current role in the current database. */
async function alteringOf(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { role: string }[] }>(
    `select format('alter role %I in database %I set', current_user, current_database()) as role`,
  );
  return Object.entries(sessionSettings())
    .map(([name, value]) => `${rows[0]?.role} ${name} = '${value}';`)
    .join(' ');
}
