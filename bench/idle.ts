import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import * as posConnections from '../db/connections/pos-connections.ts';
import type { AlphaSimulator } from '../sandbox/providers/alpha/simulator.ts';
import { machineMs } from './clock.ts';
import type { Options } from './options.ts';
import { measureCpu, measureWakeUps } from './process-figures.ts';
import { startApi, startWorker } from './programs.ts';
import { admit, listShops, startProvider } from './provider.ts';
import { formatSpread, type Section } from './report.ts';
import { spreadOf, spreadsOf, sumOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const CONNECTIONS = 10;
const WINDOW_SECONDS = 60;
const WINDOWS = 3;
/** Of all processes: what a wake-up costs depends on how deep the processors sleep. */
const BAR_WAKE_UPS = 150;
/** The first tick of the Schedules comes within a minute and creates those that poll. */
const POLLED_WITHIN_MS = 180_000;
const SETTLE_MS = 30_000;

/** Part 8: measures what the service costs while ten connections are polled and nothing is sold. */
export async function measureIdle(testbed: Testbed, options: Options): Promise<Section> {
  const databaseUrl = await testbed.database('bench_idle');
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  const alpha = await startProvider(testbed);
  await connectShops(db, alpha);
  const temporal = await testbed.ownTemporal('idle');
  const env = { ALPHA_ORIGIN: alpha.url };
  const service = { databaseUrl, temporalAddress: temporal.address, env };
  const worker = await startWorker(testbed, { ...service, name: 'worker-idle' });
  const api = await startApi(testbed, { ...service, name: 'api-idle' });
  testbed.log('Part 8, until the connections have their Schedules');
  await untilScheduled(db);
  await sleep(options.quick ? 1_000 : SETTLE_MS);

  const processes = [
    ['API', api.pid],
    ['worker', worker.pid],
    ['Temporal', temporal.pid],
    ['Postgres', testbed.postgresPid],
  ] as const;
  const pids = processes.map(([, pid]) => pid);
  const windows: Window[] = [];
  const askedBefore = alpha.journal().length;
  const seconds = options.quick ? 10 : WINDOW_SECONDS;
  for (let window = 1; window <= WINDOWS; window++) {
    testbed.log(`Part 8, ${seconds} s without sales, ${window} of ${WINDOWS}`);
    const [cpu, wakeUps] = [measureCpu(pids), measureWakeUps(pids)];
    const startedAt = machineMs();
    await sleep(seconds * 1000);
    const ms = machineMs() - startedAt;
    // Microseconds per microsecond of one core, as a percentage.
    windows.push({ percent: cpu(ms * 10), wakeUps: wakeUps(ms / 1000) });
  }
  const asked = alpha.journal().length - askedBefore;
  await requireHealthy(db);
  await api.stop();
  await worker.stop();
  await temporal.stop();
  await db.destroy();
  return sectionOf(windows, { seconds: seconds * WINDOWS, asked });
}

/** Leaves ten connections active, whose tokens the provider accepts. */
async function connectShops(db: Db, alpha: AlphaSimulator): Promise<void> {
  await db.raw(`update pos_connections set status = 'disconnected'`);
  await db.raw('delete from due_work');
  for (const shop of await listShops(db, CONNECTIONS)) {
    await posConnections.connect(db, {
      ...shop,
      provider: 'alpha',
      sealedAccessToken: admit(alpha, shop),
      sealedRefreshToken: null,
      tokenExpiresAt: null,
    });
  }
}

async function untilScheduled(db: Db): Promise<void> {
  for (const deadline = Date.now() + POLLED_WITHIN_MS; Date.now() < deadline; await sleep(500)) {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from due_work where kind = 'update_poll_schedule' limit 1`,
    );
    if (rows.length === 0) return;
  }
  throw new Error('The connections have no Schedules: the worker made none within three minutes.');
}

/** A connection whose polls fail costs something else than what is measured. */
async function requireHealthy(db: Db): Promise<void> {
  const { rows } = await db.raw<{ rows: { active: number; failing: number }[] }>(
    `select count(*) as active,
       count(*) filter (where coalesce(last_error, needs_reconnect_since::text) is not null)
         as failing
     from pos_connections where status = 'active'`,
  );
  const { active = 0, failing = 0 } = rows[0] ?? {};
  if (active !== CONNECTIONS || failing > 0) {
    throw new Error(`${active} connections are active, and the polls of ${failing} fail.`);
  }
}

/** Of each process, in their order. */
type Window = { percent: number[]; wakeUps: number[] };

function sectionOf(
  windows: readonly Window[],
  { seconds, asked }: { seconds: number; asked: number },
): Section {
  const names = ['api', 'worker', 'temporal', 'postgres'] as const;
  const of = (figure: keyof Window, name: (typeof names)[number] | 'together') =>
    windows.map(({ [figure]: values }) =>
      name === 'together' ? sumOf(values) : (values[names.indexOf(name)] ?? Number.NaN),
    );
  const rows = [...names, 'together' as const].map((name) => ({
    name,
    percent: of('percent', name),
    wakeUps: of('wakeUps', name),
  }));
  const lists = rows.flatMap(({ name, percent, wakeUps }): [string, number[]][] => [
    [`${name}.percent_of_core`, percent],
    [`${name}.wake_ups_per_second`, wakeUps],
  ]);
  const wakeUps = spreadOf(of('wakeUps', 'together'));
  return {
    key: 'idle',
    figures: spreadsOf(new Map(lists)),
    title: '8. Idle: ten connections and no sales (min/median/max)',
    note:
      `${seconds} s in ${windows.length} parts, after a warm-up; all intervals are the default ` +
      `ones; the provider was asked ${asked} times.`,
    columns: ['process', 'wake-ups a second', '% of one core'],
    rows: rows.map(({ name, percent, wakeUps }) => [
      name,
      formatSpread(spreadOf(wakeUps)),
      formatSpread(spreadOf(percent)),
    ]),
    bars: [
      {
        figure: 'wake-ups a second of all processes',
        value: wakeUps.median,
        spread: wakeUps,
        atMost: BAR_WAKE_UPS,
      },
    ],
  };
}
