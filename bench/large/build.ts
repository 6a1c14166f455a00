import { Client } from 'pg';
import { connect } from '../../db/connection.ts';
import type { WalletId } from '../../domain/ids.ts';
import { creditByHand } from '../adjustments.ts';
import { machineMs } from '../clock.ts';
import { ISSUER } from '../settings.ts';
import { eventSteps } from './event-rows.ts';
import { paymentSteps } from './payment-rows.ts';
import { functionsOf, type Step } from './row-functions.ts';
import { entrySteps, peopleSteps, sourceSteps } from './rows.ts';
import { LONG_HISTORY, type Size } from './sizes.ts';

type Log = (line: string) => void;

/** How many adjustments one statement posts. */
const ADJUSTMENTS = 100;

/** Rows that one session writes, and the tables whose indexes it builds afterwards. */
type Part = {
  steps: Step[];
  tables: readonly string[];
  /** Truncated first, with what refers to them and is empty, so that filling needs no log. */
  unlogged: readonly string[];
};

function partsOf(size: Size): Part[] {
  return [
    {
      steps: [...peopleSteps(size), ...entrySteps(size), ...sourceSteps(size)],
      tables: ['users', 'wallets', 'ledger_entries', 'redemptions'],
      unlogged: ['ledger_entries', 'redemptions'],
    },
    {
      steps: [...paymentSteps(size), ...eventSteps(size)],
      tables: ['payments'],
      unlogged: ['payments'],
    },
  ];
}

/**
 * Fills a migrated, empty database of the given address. Indexes are built after the rows, and
 * constraints between tables are not checked, so that ten million entries take minutes.
 */
export async function buildRows(url: string, size: Size, log: Log): Promise<void> {
  const builtAt = new Date();
  await Promise.all(
    partsOf(size).map((part) =>
      withSession(url, async (session) => {
        await session.query('begin');
        await session.query(`truncate ${part.unlogged.join(', ')} cascade`);
        await session.query(
          `update pg_index set indisready = false, indisvalid = false
           where indrelid = any($1::regclass[])`,
          [part.tables],
        );
        await session.query(functionsOf(size, builtAt));
        const steps = [...part.steps, ...part.tables.map(reindex)];
        for (const step of steps) await run(session, step, size, log);
        await session.query('commit');
      }),
    ),
  );
  await withSession(url, async (session) => {
    await run(session, { name: 'vacuum', sql: 'vacuum (freeze, analyze)' }, size, log);
    await run(session, { name: 'checkpoint', sql: 'checkpoint' }, size, log);
  });
}

async function withSession(url: string, work: (session: Client) => Promise<void>): Promise<void> {
  const session = new Client({ connectionString: url });
  await session.connect();
  try {
    for (const setting of SETTINGS) await session.query(`set ${setting}`);
    await work(session);
  } finally {
    await session.end();
  }
}

const SETTINGS = [
  // Neither foreign keys nor triggers.
  'session_replication_role = replica',
  'synchronous_commit = off',
  `maintenance_work_mem = '1GB'`,
  `work_mem = '256MB'`,
  'jit = off',
  // Rows stay in the order of time.
  'synchronize_seqscans = off',
  'max_parallel_workers_per_gather = 0',
];

const reindex = (table: string): Step => ({
  name: `indexes of ${table}`,
  sql: `reindex table ${table}`,
});

async function run(client: Client, { name, sql }: Step, size: Size, log: Log): Promise<void> {
  const started = machineMs();
  const { rowCount } = await client.query(sql);
  const seconds = ((machineMs() - started) / 1000).toFixed(1);
  log(`  ${size.name}: ${name}, ${rowCount ?? 0} rows, ${seconds} s`);
}

/** Gives consumer 0 a long history, and the audit log as many entries. */
export async function lengthenHistory(url: string): Promise<void> {
  const db = connect(url, 1, 'loyalty-bench');
  try {
    const { rows } = await db.raw<{ rows: { id: WalletId }[] }>(
      `select w.id from wallets w join users u on u.id = w.user_id
       where u.iss = :iss and u.sub = '0'`,
      { iss: ISSUER },
    );
    const batch = rows.flatMap(({ id }) =>
      Array.from({ length: ADJUSTMENTS }, () => ({ walletId: id, points: 1 })),
    );
    for (let done = 0; done < LONG_HISTORY; done += batch.length) await creditByHand(db, batch);
  } finally {
    await db.destroy();
  }
}
