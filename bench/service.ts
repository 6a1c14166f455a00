import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import { machineMs } from './clock.ts';
import { type LoadGenerator, startLoadGenerator } from './load.ts';
import { type Program, type Server, type Setting, startApi, startWorker } from './programs.ts';
import type { Plan } from './sales.ts';
import type { Testbed, TestbedTemporal } from './testbed.ts';

/** The service as separate processes, on its own database. */
export type Service = {
  testbed: Testbed;
  databaseUrl: string;
  db: Db;
  temporal: TestbedTemporal;
  api: Server;
  /** Replaced when it is killed. */
  worker: Program;
  load: LoadGenerator;
  /** Every plan that was sent to it, with which `verifyRun` compares the database. */
  plans: Plan[];
};

const CONNECTIONS = 64;
const POLL_MS = 5;
const PROCESSED_WITHIN_MS = 120_000;
const WARM_UP_EVENTS = 1_000;

/** Starts the service with a Temporal server of its own. The name tells it from others. */
export async function startService(
  testbed: Testbed,
  name: string,
  setting: Setting = {},
): Promise<Service> {
  const databaseUrl = await testbed.database(`bench_${name}`);
  const temporal = await testbed.ownTemporal(name);
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  testbed.log('Starting worker and API');
  const options = { ...setting, databaseUrl, temporalAddress: temporal.address };
  const worker = await startWorker(testbed, { ...options, name: `worker-${name}` });
  const api = await startApi(testbed, { ...options, name: `api-${name}` });
  const load = startLoadGenerator(testbed);
  return { testbed, databaseUrl, db, temporal, api, worker, load, plans: [] };
}

/** Stops the processes of the service, so that they cost what is measured next nothing. */
export async function stopService({ api, worker, temporal, load }: Service): Promise<void> {
  await api.stop();
  await worker.stop();
  await temporal.stop();
  await load.stop();
}

/** Sends a burst that is not measured, so that the code is compiled before measuring. */
export async function warmUp(service: Service, name: string): Promise<void> {
  const plan = { name: `warm-${name}`, events: WARM_UP_EVENTS };
  service.plans.push(plan);
  await burst(service.load, service.api.port, plan);
  await untilProcessed(service.db);
}

/** Delivers each event of the plan once, as fast as it is acknowledged. */
export function burst(load: LoadGenerator, port: number, plan: Plan) {
  return load.deliver({ port, plan, connections: CONNECTIONS, pace: { kind: 'once' } });
}

/** Delivers each event of the plan once, this many per second. */
export function deliverAtRate(
  load: LoadGenerator,
  port: number,
  { plan, perSecond }: { plan: Plan; perSecond: number },
) {
  const pace = { kind: 'rate', perSecond } as const;
  return load.deliver({ port, plan, connections: CONNECTIONS, pace });
}

/** Waits until every stored event is processed. Returns when that was, as of `machineMs`. */
export async function untilProcessed(db: Db, withinMs = PROCESSED_WITHIN_MS): Promise<number> {
  for (const deadline = machineMs() + withinMs; machineMs() < deadline; ) {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      'select from pending_events order by next_attempt_at limit 1',
    );
    if (rows.length === 0) return machineMs();
    await sleep(POLL_MS);
  }
  throw new Error(`Events were still unprocessed after ${withinMs / 1000} s`);
}
