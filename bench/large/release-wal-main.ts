import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from '../../db/connection.ts';
import type { NewEvent, StoredEvent } from '../../db/events/webhook-events.ts';
import type { Plan, Sale } from '../sales.ts';
import { walPosition } from './wal.ts';

// Credits sales with the code of a release, and sends its parent how much log that wrote. The
// names are those of the release of commit d586070 or of today, whichever there is.

const BATCH = 100;
const WARM_UP = 20_000;
const MEASURED = 40_000;

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
async function walOf(release: Release, db: Db, plan: Required<Pick<Plan, 'name' | 'events'>>) {
  const wal = { stored: 0, credited: 0 };
  for (let done = 0; done < plan.events; done += BATCH) {
    const events = Array.from({ length: BATCH }, (_, nth) => {
      const sale = release.saleAt(plan, done + nth);
      return {
        id: release.newId(),
        provider: 'alpha',
        merchantId: sale.merchantId,
        eventType: 'payment.updated',
        body: release.bodyOf(sale),
        correlationId: 'bench',
      } satisfies Record<keyof NewEvent, unknown>;
    });
    const before = await walPosition(db);
    const stored = await release.insert(db, events);
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
  return { stored: wal.stored / plan.events, credited: wal.credited / plan.events };
}

const [folder = '', databaseUrl = ''] = process.argv.slice(2);
const release = await open(folder);
await release.populate(databaseUrl);
const db = release.connect(databaseUrl, 2, 'loyalty-bench');
await walOf(release, db, { name: 'warm', events: WARM_UP });
await db.raw('checkpoint');
const wal = await walOf(release, db, { name: 'wal', events: MEASURED });
const credited = await countCredited(db);
if (credited !== WARM_UP + MEASURED) throw new Error(`${credited} sales were credited.`);
await db.destroy();
process.once('disconnect', () => process.exit());
process.send?.(wal);

async function countCredited(from: Db): Promise<number> {
  const { rows } = await from.raw<{ rows: { credited: number }[] }>(
    'select count(*) as credited from payments where points_awarded > 0',
  );
  return rows[0]?.credited ?? 0;
}
