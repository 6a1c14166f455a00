import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from '../../db/connection.ts';
import type { NewEvent, StoredEvent } from '../../db/events/webhook-events.ts';
import type { Plan, Sale } from '../sales.ts';
import { saleOf } from './pair.ts';
import { SMALL } from './sizes.ts';
import { walPosition } from './wal.ts';

// Credits sales with the code of a release, and sends its parent how much log that wrote. The
// names are those of the release of commit d586070 or of today, whichever there is. With a number
// of wallets and one of tenants, the database is one that was built with as many.

const BATCH = 100;
const EMPTY = { warmUp: 20_000, measured: 40_000 };
/** Few sales before, so that most pages change for the first time since the checkpoint. */
const BUILT = { warmUp: 1_000, measured: 20_000 };

type Ids = readonly string[];
type Ingest = (db: Db, ids: Ids, known: Map<string, object>, policy: unknown) => Promise<unknown>;
type Release = {
  populate(url: string): Promise<void>;
  connect(url: string, poolMax: number, name: string): Db;
  saleAt(plan: Plan, nth: number): Sale;
  bodyOf(sale: Sale): Buffer;
  insert(db: Db, events: readonly object[]): Promise<StoredEvent[]>;
  ingest: Ingest;
  policy: unknown;
  newId(): string;
};

async function open(folder: string): Promise<Release> {
  const load = async <T>(...paths: string[]): Promise<T> => {
    const path = paths.map((each) => join(folder, each)).find(existsSync);
    if (path === undefined) throw new Error(`${folder} has none of ${paths.join(', ')}.`);
    return import(pathToFileURL(path).href);
  };
  const ingestion = await load<{ ingestEventBatch?: Ingest; creditBatch?: Ingest }>(
    'activities/ingestion/ingest-events.ts',
    'activities/credit-batch.ts',
  );
  const ingest = ingestion.ingestEventBatch ?? ingestion.creditBatch;
  if (ingest === undefined) throw new Error(`${folder} has no function that credits a batch.`);
  const settings = await load<{ ingestPolicy?: unknown; credit?: unknown }>('bench/settings.ts');
  const hasNewId = existsSync(join(folder, 'db/new-id.ts'));
  return {
    ...(await load<Pick<Release, 'populate'>>('bench/population.ts')),
    ...(await load<Pick<Release, 'connect'>>('db/connection.ts')),
    ...(await load<Pick<Release, 'saleAt' | 'bodyOf'>>('bench/sales.ts')),
    ...(await load<Pick<Release, 'insert'>>('db/events/webhook-events.ts', 'db/webhook-events.ts')),
    ...(hasNewId ? await load<Pick<Release, 'newId'>>('db/new-id.ts') : { newId: randomUUID }),
    ingest,
    policy: settings.ingestPolicy ?? settings.credit,
  };
}

/** Stores and credits sales batch by batch, and returns the log of both per sale, in bytes. */
async function walOf(release: Release, db: Db, events: number, saleAt: (nth: number) => Sale) {
  const wal = { stored: 0, credited: 0 };
  for (let done = 0; done < events; done += BATCH) {
    const deliveries = Array.from({ length: BATCH }, (_, nth) => {
      const sale = saleAt(done + nth);
      return {
        id: release.newId(),
        provider: 'alpha',
        merchantId: sale.merchantId,
        eventType: 'payment.updated',
        body: release.bodyOf(sale),
        correlationId: 'bench',
      } satisfies Record<Exclude<keyof NewEvent, 'traceparent'>, unknown>;
    });
    const before = await walPosition(db);
    const stored = await release.insert(db, deliveries);
    const between = await walPosition(db);
    await release.ingest(
      db,
      stored.map(({ id }) => id),
      new Map(),
      release.policy,
    );
    wal.stored += between - before;
    wal.credited += (await walPosition(db)) - between;
  }
  return { stored: wal.stored / events, credited: wal.credited / events };
}

const [folder = '', databaseUrl = '', wallets, tenants] = process.argv.slice(2);
const release = await open(folder);
const size = { ...SMALL, wallets: Number(wallets), tenants: Number(tenants) };
const isBuilt = wallets !== undefined;
if (!isBuilt) await release.populate(databaseUrl);
const { warmUp, measured } = isBuilt ? BUILT : EMPTY;
const salesOf = (name: string, events: number) => (nth: number) =>
  isBuilt ? saleOf({ size }, name, nth) : release.saleAt({ name, events }, nth);

const db = release.connect(databaseUrl, 2, 'loyalty-bench');
const before = await countCredited(db);
await walOf(release, db, warmUp, salesOf('warm', warmUp));
await db.raw('checkpoint');
const wal = await walOf(release, db, measured, salesOf('wal', measured));
const credited = (await countCredited(db)) - before;
if (credited !== warmUp + measured) throw new Error(`${credited} sales were credited.`);
await db.destroy();
process.once('disconnect', () => process.exit());
process.send?.(wal);

async function countCredited(from: Db): Promise<number> {
  const { rows } = await from.raw<{ rows: { credited: number }[] }>(
    'select count(*) as credited from payments where points_awarded > 0',
  );
  return rows[0]?.credited ?? 0;
}
