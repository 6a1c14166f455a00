import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connect, type Db } from '../db/connection.ts';
import * as posConnections from '../db/connections/pos-connections.ts';
import { TenantId } from '../domain/ids.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { type AlphaSimulator, startAlpha } from '../sandbox/providers/alpha/simulator.ts';
import { machineMs } from './clock.ts';
import type { Options } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { startApi, startWorker } from './programs.ts';
import { formatSpread, type Section } from './report.ts';
import { KEYS, SIGNATURE_KEY } from './settings.ts';
import { spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const CONNECTIONS = 10;
const WINDOW_SECONDS = 60;
const WINDOWS = 3;
const BAR_PERCENT = 2;
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
  const windows: number[][] = [];
  const askedBefore = alpha.journal().length;
  const seconds = options.quick ? 10 : WINDOW_SECONDS;
  for (let window = 1; window <= WINDOWS; window++) {
    testbed.log(`Part 8, ${seconds} s without sales, ${window} of ${WINDOWS}`);
    const cpu = measureCpu(processes.map(([, pid]) => pid));
    const startedAt = machineMs();
    await sleep(seconds * 1000);
    // Microseconds per microsecond of one core, as a percentage.
    windows.push(cpu((machineMs() - startedAt) * 10));
  }
  const asked = alpha.journal().length - askedBefore;
  await requireHealthy(db);
  await api.stop();
  await worker.stop();
  await temporal.stop();
  await db.destroy();
  return sectionOf(windows, { seconds: seconds * WINDOWS, asked });
}

/** The provider runs in this process, which is not counted. */
async function startProvider(testbed: Testbed): Promise<AlphaSimulator> {
  const alpha = await startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: SIGNATURE_KEY,
    webhookUrl: 'http://127.0.0.1:9/nobody',
  });
  testbed.onClose(() => alpha.stop());
  return alpha;
}

const Shop = z.object({ tenantId: TenantId, merchantId: z.string() });

/** Leaves ten connections active, whose tokens the provider accepts. */
async function connectShops(db: Db, alpha: AlphaSimulator): Promise<void> {
  await db.raw(`update pos_connections set status = 'disconnected'`);
  await db.raw('delete from poll_schedule_changes');
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select tenant_id, merchant_id from pos_connections order by merchant_id limit :limit',
    { limit: CONNECTIONS },
  );
  const sealer = createSealer(KEYS);
  for (const { tenantId, merchantId } of z.array(Shop).parse(rows)) {
    alpha.addMerchant({ id: merchantId, name: merchantId, currency: 'EUR' });
    const { accessToken } = alpha.issueToken(merchantId);
    const owner = { tenantId, provider: 'alpha' } as const;
    await posConnections.connect(db, {
      ...owner,
      merchantId,
      sealedAccessToken: sealer.seal(accessToken, { ...owner, field: 'access_token' }),
      sealedRefreshToken: null,
      tokenExpiresAt: null,
    });
  }
}

async function untilScheduled(db: Db): Promise<void> {
  for (const deadline = Date.now() + POLLED_WITHIN_MS; Date.now() < deadline; await sleep(500)) {
    const { rows } = await db.raw<{ rows: unknown[] }>('select from poll_schedule_changes limit 1');
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

function sectionOf(
  windows: readonly number[][],
  { seconds, asked }: { seconds: number; asked: number },
): Section {
  const [api = [], worker = [], temporal = [], postgres = []] = [0, 1, 2, 3].map((nth) =>
    windows.map((cpu) => cpu[nth] ?? Number.NaN),
  );
  const together = api.map((cpu, nth) => cpu + (worker[nth] ?? 0) + (temporal[nth] ?? 0));
  const rows = [
    ['API', api],
    ['worker', worker],
    ['Temporal', temporal],
    ['together', together],
    ['Postgres, not counted', postgres],
  ] as const;
  const mean = together.reduce((sum, cpu) => sum + cpu, 0) / together.length;
  return {
    key: 'idle',
    figures: spreadsOf(
      new Map([
        ['api.percent_of_core', api],
        ['worker.percent_of_core', worker],
        ['temporal.percent_of_core', temporal],
        ['together.percent_of_core', together],
      ]),
    ),
    title: `8. Idle: ten connections and no sales, % of one core (min/median/max)`,
    note:
      `${seconds} s in ${windows.length} parts, after a warm-up; all intervals are the default ` +
      `ones; the provider was asked ${asked} times.`,
    columns: ['process', '% of one core'],
    rows: rows.map(([name, values]) => [name, formatSpread(spreadOf(values))]),
    bars: [
      { figure: 'API, worker and Temporal, mean % of one core', value: mean, atMost: BAR_PERCENT },
    ],
  };
}
