import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import { machineMs } from './clock.ts';
import { type LoadGenerator, startLoadGenerator } from './load.ts';
import { type Program, type Server, startApi, startWorker } from './programs.ts';
import type { Plan } from './sales.ts';
import type { Stage, StageTemporal } from './stage.ts';

/** The whole service in its real processes, on a database of its own. */
export type Service = {
  stage: Stage;
  databaseUrl: string;
  db: Db;
  temporal: StageTemporal;
  api: Server;
  /** Replaced when it is killed. */
  worker: Program;
  load: LoadGenerator;
  /** Everything that was ever sent to it: what `verify` compares the database with. */
  plans: Plan[];
};

const CONNECTIONS = 64;
const POLL_MS = 5;
const CREDITED_WITHIN_MS = 120_000;
const WARM_UP_EVENTS = 1_000;

/** Starts the service, and sends it enough to have its code compiled. */
export async function startService(stage: Stage): Promise<Service> {
  const databaseUrl = await stage.database('bench_service');
  const temporal = await stage.temporal();
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  stage.atEnd(() => db.destroy());
  stage.tell('Starting worker and API');
  const worker = await startWorker(stage, { databaseUrl, temporalAddress: temporal.address });
  const api = await startApi(stage, { databaseUrl, temporalAddress: temporal.address });
  const load = startLoadGenerator(stage);
  return { stage, databaseUrl, db, temporal, api, worker, load, plans: [] };
}

/** A burst that is not measured. */
export async function warmUp(service: Service, name: string): Promise<void> {
  const plan = { name: `warm-${name}`, events: WARM_UP_EVENTS };
  service.plans.push(plan);
  await burst(service.load, service.api.port, plan);
  await untilCredited(service.db);
}

/** Delivers each event of the plan once, as fast as it is acknowledged. */
export function burst(load: LoadGenerator, port: number, plan: Plan) {
  return load.deliver({ port, plan, connections: CONNECTIONS, pace: { kind: 'once' } });
}

/** Delivers each event of the plan once, so many in a second. */
export function deliverAtRate(service: Service, plan: Plan, perSecond: number) {
  service.plans.push(plan);
  const { load, api } = service;
  const pace = { kind: 'rate', perSecond } as const;
  return load.deliver({ port: api.port, plan, connections: CONNECTIONS, pace });
}

/** Returns the moment, of `machineMs`, at which every stored event was found processed. */
export async function untilCredited(db: Db): Promise<number> {
  for (const deadline = machineMs() + CREDITED_WITHIN_MS; machineMs() < deadline; ) {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      'select from webhook_events where not processed order by next_attempt_at limit 1',
    );
    if (rows.length === 0) return machineMs();
    await sleep(POLL_MS);
  }
  throw new Error(`Events were still not processed after ${CREDITED_WITHIN_MS / 1000} s`);
}
