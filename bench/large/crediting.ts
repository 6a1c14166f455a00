import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import type { Db } from '../../db/connection.ts';
import { newId } from '../../db/new-id.ts';
import { one } from '../../db/one.ts';
import { machineMs } from '../clock.ts';
import { type Options, repetitions } from '../options.ts';
import { formatSpread, type Section } from '../report.ts';
import { ingestPolicy } from '../settings.ts';
import { chunk, storeEvents } from '../sql-ingestion.ts';
import { appendTo, spreadOf } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { type Built, type Pair, saleOf } from './pair.ts';

const BATCH = 100;
const CONNECTIONS = 2;

type Measurement = { perSecond: number; walBytes: number };

/** Measures the real ingestion in batches, over the tenants of each database. */
export async function measureCrediting(
  testbed: Testbed,
  pair: Pair,
  options: Options,
): Promise<Section> {
  const figures = new Map<Built, Measurement[]>();
  const events = options.quick ? 1_000 : 20_000;
  for (const built of [pair.small, pair.large]) await credit(built, 'warm', BATCH * 10);
  for (const repetition of repetitions(options)) {
    for (const built of [pair.small, pair.large]) {
      testbed.log(`Crediting, repetition ${repetition}, ${built.size.name}`);
      appendTo(figures, built, await credit(built, `credit-${repetition}`, events));
    }
  }
  const perSecond = (built: Built) =>
    spreadOf((figures.get(built) ?? []).map((each) => each.perSecond));
  const walBytes = (built: Built) =>
    spreadOf((figures.get(built) ?? []).map((each) => each.walBytes));
  return {
    title: 'Crediting in batches of 100, many tenants (min/median/max)',
    note:
      'Each measurement begins after a checkpoint: its log holds each page whole that it touches ' +
      'first, which a longer interval between checkpoints has for more sales together.',
    columns: ['database', 'wallets', 'tenants', 'credited/s', 'WAL bytes per credit'],
    rows: [pair.small, pair.large].map((built) => [
      built.size.name,
      built.size.wallets,
      built.size.tenants,
      formatSpread(perSecond(built)),
      formatSpread(walBytes(built)),
    ]),
    bars: [],
  };
}

/** Credits a series of sales. Throws unless each of them has given points. */
export async function credit(built: Built, series: string, events: number): Promise<Measurement> {
  const { db } = built;
  const sales = Array.from({ length: events }, (_, nth) => saleOf(built, series, nth));
  const waiting = chunk(await storeEvents(db, sales), BATCH);
  const walBefore = await walPosition(db);
  const before = newId();
  const started = machineMs();
  let credited = 0;
  const work = async () => {
    for (let ids = waiting.shift(); ids !== undefined; ids = waiting.shift()) {
      const { decided } = await ingestEventBatch(db, ids, new Map(), ingestPolicy);
      credited += decided.filter(({ outcome }) => outcome === 'credited').length;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const perSecond = (events / (machineMs() - started)) * 1000;
  const walBytes = ((await walPosition(db)) - walBefore) / events;
  const entries = await countEntries(db, before);
  if (credited === events && entries === events) return { perSecond, walBytes };
  throw new Error(`${credited} of ${events} sales were credited, by ${entries} entries.`);
}

/** How many entries were made after an id was. A sale may count as credited and give no points. */
async function countEntries(db: Db, after: string): Promise<number> {
  const entries = await db('ledger_entries').where('id', '>', after).count({ count: '*' });
  return Number(one(entries, 'number of entries').count);
}

/** How many bytes have been written to the write-ahead log of the server so far. */
async function walPosition(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { bytes: string }[] }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]?.bytes ?? Number.NaN);
}
