import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Db } from '../../db/connection.ts';
import { messageFrom, startProgram } from '../programs.ts';
import type { Section } from '../report.ts';
import type { Testbed } from '../testbed.ts';
import { releaseOf } from './releases.ts';

const BAR = 0.6;
const TODAY = 'this checkout';

type Release = {
  name: string;
  folder(): Promise<string | undefined>;
  /** Its figure, where its sources are not in the history: bytes per sale, and when. */
  recorded?: { stored: number; credited: number; on: string };
};

/** The bar is against the other one. */
const RELEASES: readonly Release[] = [
  { name: TODAY, folder: async () => fileURLToPath(new URL('../../', import.meta.url)) },
  { name: 'd586070', folder: () => releaseOf('d586070') },
];

const Wal = z.object({ stored: z.number(), credited: z.number() });
type Wal = z.infer<typeof Wal>;

/** How many bytes have been written to the write-ahead log of the server so far. */
export async function walPosition(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { bytes: string }[] }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]?.bytes ?? Number.NaN);
}

/** Measures the log that a sale writes, in this release and in earlier ones. */
export async function measureWal(testbed: Testbed): Promise<Section> {
  const figures: [string, Wal, string][] = [];
  for (const { name, folder, recorded } of RELEASES) {
    const sources = await folder();
    if (sources !== undefined) {
      testbed.log(`WAL per sale, ${name}`);
      figures.push([name, await walOf(testbed, sources), 'this run']);
    } else if (recorded !== undefined) figures.push([name, recorded, recorded.on]);
  }
  const total = ({ stored, credited }: Wal) => stored + credited;
  const [today] = figures;
  return {
    title: 'Write-ahead log per credited sale, bytes',
    note:
      'Stored and credited in batches of 100, 10,000 wallets; 40,000 sales after 20,000 and a ' +
      'checkpoint.',
    columns: ['release', 'event stored', 'sale credited', 'together', 'measured'],
    rows: figures.map(([name, wal, on]) => [name, wal.stored, wal.credited, total(wal), on]),
    bars: figures.slice(1).map(([name, wal]) => ({
      figure: `WAL per credited sale, ${TODAY} ÷ ${name}`,
      value: today === undefined ? Number.NaN : total(today[1]) / total(wal),
      atMost: BAR,
    })),
  };
}

async function walOf(testbed: Testbed, sources: string): Promise<Wal> {
  const database = 'bench_wal';
  const databaseUrl = await testbed.database(database, 'template1');
  const file = new URL('./release-wal-main.ts', import.meta.url);
  const program = startProgram(testbed, file, { name: 'wal', args: [sources, databaseUrl] });
  const wal = Wal.parse(await messageFrom(program));
  await program.stop();
  await testbed.dropDatabase(database);
  return wal;
}
