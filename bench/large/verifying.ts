import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../../db/connection.ts';
import { verifyPhases } from '../../db/ledger/verification/run.ts';
import { machineMs } from '../clock.ts';
import type { Options } from '../options.ts';
import { formatSpread, type Section } from '../report.ts';
import { appendTo, spreadOf } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { credit } from './crediting.ts';
import type { Built, Pair } from './pair.ts';

/** Sales between two verifications, each of another wallet, the same ones every time. */
const MOVED = 2_000;
/** More than elsewhere, since each is short. */
const REPETITIONS = 5;
/** Pages that Postgres has to read for a wallet: its own, its last entry's and its checkpoint's. */
const BAR = 3;
const CONNECTIONS = 8;
/** A session reports what it has read when it ends. */
const SESSION_END_MS = 500;

type Measurement = { ms: number; pages: number };

/**
 * Measures the verification of what moved since the one before, which has left a checkpoint for
 * each wallet. Throws when it finds a problem or another number of wallets.
 */
export async function measureVerifying(
  testbed: Testbed,
  pair: Pair,
  { quick }: Options,
): Promise<Section> {
  const figures = new Map<Built, Measurement[]>();
  const both = [pair.small, pair.large];
  for (const built of both) await verifyMoved(built, 'before');
  for (let repetition = 1; repetition <= (quick ? 1 : REPETITIONS); repetition++) {
    for (const built of both) {
      testbed.log(`Verifying what moved, repetition ${repetition}, ${built.size.name}`);
      appendTo(figures, built, await verifyMoved(built, `moved-${repetition}`));
    }
  }
  const of = (built: Built, figure: keyof Measurement) =>
    spreadOf((figures.get(built) ?? []).map((each) => each[figure]));
  const pages = of(pair.large, 'pages');
  return {
    title: 'Verification of what moved (min/median/max)',
    note: `${MOVED.toLocaleString('en-GB')} wallets had a sale each since their checkpoints.`,
    columns: ['database', 'wallets', 'ms', 'pages read per wallet'],
    rows: both.map((built) => [
      built.size.name,
      built.size.wallets,
      formatSpread(of(built, 'ms')),
      formatSpread(of(built, 'pages')),
    ]),
    bars: [
      {
        figure: 'pages read per wallet, large',
        value: pages.median,
        spread: pages,
        atMost: BAR,
      },
    ],
  };
}

/**
 * Credits each of the wallets, and returns what it took to verify that then. It is made to be ten
 * minutes later than the verification before, which a verification looks back for.
 */
async function verifyMoved(built: Built, series: string): Promise<Measurement> {
  await built.db.raw(
    `update ledger_parts set until_id = first_event_id(clock_timestamp()) where walk = 'moved'`,
  );
  await inSessions(built, (db) => credit({ ...built, db }, series, MOVED));
  const before = await pagesRead(built.db);
  const ms = await inSessions(built, async (db) => {
    const started = machineMs();
    const { violations, wallets } = await verifyPhases(db, { phases: ['moved'] });
    const took = machineMs() - started;
    if (violations.length === 0 && wallets >= MOVED) return took;
    throw new Error(
      `${wallets} wallets were verified, with ${violations.length} violations: ` +
        `${violations[0]?.problem ?? 'none'}.`,
    );
  });
  return { ms, pages: ((await pagesRead(built.db)) - before) / MOVED };
}

/** Works in sessions of its own, so that what they have read is known once they have ended. */
async function inSessions<T>({ url }: Built, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(url, CONNECTIONS, 'loyalty-bench');
  try {
    return await work(db);
  } finally {
    await db.destroy();
    await sleep(SESSION_END_MS);
  }
}

/** Pages that sessions of this database which have ended did not find in Postgres' memory. */
async function pagesRead(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { pages: string }[] }>(
    'select blks_read as pages from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.pages ?? Number.NaN);
}
