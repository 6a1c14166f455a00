import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { connect, type Db } from '../../db/connection.ts';
import type { Options } from '../options.ts';
import { messageFrom, runMigration, startProgram } from '../programs.ts';
import type { Section } from '../report.ts';
import type { Testbed } from '../testbed.ts';
import { releaseOf } from './releases.ts';
import { oldSize, type Size } from './sizes.ts';

const BAR = 0.6;
const TODAY = 'this checkout';
/** With the setting of docker-compose.yml, by the method that every build of Postgres has. */
const SHIPPED = 'this checkout, wal_compression';
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

const OLD = 'd586070';

const Wal = z.object({ stored: z.number(), credited: z.number() });
type Wal = z.infer<typeof Wal>;

/** How many bytes have been written to the write-ahead log of the server so far. */
export async function walPosition(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { bytes: string }[] }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]?.bytes ?? Number.NaN);
}

/** Whose code credits them, and whether the server compresses pages that it logs as a whole. */
type Release = { name: string; folder: string; isCompressed?: boolean };

/** Where sales are credited: in a database that begins with them, or with a history before. */
type Place = { name: string; size?: Size };

/** Measures the log that a sale writes, in this release and in the one that is migrated. */
export async function measureWal(testbed: Testbed, { scale }: Options): Promise<Section> {
  const old = await releaseOf(OLD);
  if (old === undefined) {
    throw new Error(`The history does not reach back to ${OLD}: fetch all of it, and run again.`);
  }
  const releases: Release[] = [
    { name: TODAY, folder: CHECKOUT },
    { name: SHIPPED, folder: CHECKOUT, isCompressed: true },
    { name: OLD, folder: old },
  ];
  const payments = (1_000_000 * scale).toLocaleString('en-GB');
  const places: Place[] = [
    { name: 'new database' },
    { name: `${payments} payments before`, size: oldSize(scale) },
  ];
  const rows: Section['rows'][number][] = [];
  const bars: Section['bars'][number][] = [];
  for (const place of places) {
    const together: number[] = [];
    for (const release of releases) {
      testbed.log(`WAL per sale, ${release.name}, ${place.name}`);
      const { stored, credited } = await walOf(testbed, release, place);
      rows.push([place.name, release.name, stored, credited, stored + credited]);
      together.push(stored + credited);
    }
    const [, shipped = Number.NaN, before = Number.NaN] = together;
    const figure = `WAL per credited sale, ${place.name}, ${SHIPPED} ÷ ${OLD}`;
    bars.push({ figure, value: shipped / before, atMost: BAR });
  }
  return {
    title: 'Write-ahead log per credited sale, bytes',
    note:
      'Stored and credited in batches of 100, after a checkpoint. New: 40,000 sales of 10,000 ' +
      'wallets after 20,000. With a history: 20,000 sales. Settings are those of the release: ' +
      'this one compresses pages that are logged as a whole.',
    columns: ['database', 'release', 'event stored', 'sale credited', 'together'],
    rows,
    bars,
  };
}

async function walOf(testbed: Testbed, release: Release, { size }: Place): Promise<Wal> {
  const { folder, isCompressed = false } = release;
  const database = 'bench_wal';
  const databaseUrl = await testbed.database(database, size?.name ?? 'template1');
  if (size !== undefined && folder === CHECKOUT) await migrateAt(testbed, databaseUrl);
  await compressLog(databaseUrl, database, isCompressed);
  const file = new URL('./release-wal-main.ts', import.meta.url);
  const built = size === undefined ? [] : [String(size.wallets), String(size.tenants)];
  const args = [folder, databaseUrl, ...built];
  const program = startProgram(testbed, file, { name: 'wal', args });
  const wal = Wal.parse(await messageFrom(program));
  await program.stop();
  await testbed.dropDatabase(database);
  return wal;
}

async function compressLog(url: string, database: string, isCompressed: boolean): Promise<void> {
  const db = connect(url, 1, 'loyalty-bench', 0);
  const setting = `wal_compression = ${isCompressed ? 'on' : 'off'}`;
  await db.raw(`alter database ${database} set ${setting}`).finally(() => db.destroy());
}

async function migrateAt(testbed: Testbed, databaseUrl: string): Promise<void> {
  await runMigration(testbed, { databaseUrl });
  const db = connect(databaseUrl, 1, 'loyalty-bench', 0);
  await db.raw('vacuum (freeze, analyze)').finally(() => db.destroy());
}
