import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../../db/connection.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { machineMs } from '../clock.ts';
import { type LoadGenerator, startLoadGenerator } from '../load.ts';
import { type Options, repetitions } from '../options.ts';
import { startApi, startWorker } from '../programs.ts';
import { formatSpread, type Section } from '../report.ts';
import type { Plan } from '../sales.ts';
import { burst, untilProcessed } from '../service.ts';
import { FREQUENT_SWEEPS } from '../settings.ts';
import { spreadOf } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { verifyRun } from '../verify-run.ts';

const STORED = 100_000;
const DIRECT = 20_000;
const WARM_UP = 1_000;
/** The sweep leaves younger events to their own run. */
const QUIET_MS = 31_000;
const DRAINED_WITHIN_MS = 600_000;
const BAR = 0.7;

type Service = { db: Db; databaseUrl: string; temporalAddress: string; plans: Plan[] };

/**
 * Measures how fast the sweep ingests what an outage of Temporal has left, against events that
 * arrive while it is up. Every run is verified.
 */
export async function measureDraining(testbed: Testbed, options: Options): Promise<Section> {
  const load = startLoadGenerator(testbed);
  const stored = options.quick ? 5_000 : STORED * options.scale;
  const direct: number[] = [];
  const swept: number[] = [];
  const databaseUrl = await testbed.database('bench_draining');
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  const { address } = await testbed.temporal();
  const service: Service = { db, databaseUrl, temporalAddress: address, plans: [] };
  for (const repetition of repetitions(options)) {
    testbed.log(`Draining, repetition ${repetition}`);
    direct.push(await runDirect(testbed, load, service, { repetition, quick: options.quick }));
    swept.push(await runAfterOutage(testbed, load, service, { repetition, stored }));
    await verifyRun(db, service.plans);
  }
  await db.destroy();
  return {
    title: 'Draining what an outage of Temporal has left, events/s (min/median/max)',
    note: `${stored.toLocaleString('en-GB')} events stored meanwhile; every run is verified.`,
    columns: ['path', 'credited/s'],
    rows: [
      ['direct: started by the API', formatSpread(spreadOf(direct))],
      ['swept: after the outage', formatSpread(spreadOf(swept))],
    ],
    bars: [
      {
        figure: 'swept ÷ direct',
        value: spreadOf(swept).median / spreadOf(direct).median,
        atLeast: BAR,
      },
    ],
  };
}

async function runDirect(
  testbed: Testbed,
  load: LoadGenerator,
  service: Service,
  { repetition, quick }: { repetition: number; quick: boolean },
): Promise<number> {
  const name = `direct-${repetition}`;
  const worker = await startWorker(testbed, {
    ...service,
    env: FREQUENT_SWEEPS,
    name: `worker-${name}`,
  });
  const api = await startApi(testbed, { ...service, name: `api-${name}` });
  const warm: Plan = { name: `${name}-warm`, events: WARM_UP };
  const plan: Plan = { name, events: quick ? 2_000 : DIRECT };
  service.plans.push(warm, plan);
  await burst(load, api.port, warm);
  await untilProcessed(service.db);
  const { startedAt } = await burst(load, api.port, plan);
  const endedAt = await untilProcessed(service.db);
  await api.stop();
  await worker.stop();
  return perSecond(plan.events, endedAt - startedAt);
}

/** Stores events without Temporal, then starts the worker and waits until all are credited. */
async function runAfterOutage(
  testbed: Testbed,
  load: LoadGenerator,
  service: Service,
  { repetition, stored }: { repetition: number; stored: number },
): Promise<number> {
  const name = `outage-${repetition}`;
  const temporalAddress = `127.0.0.1:${await freePort()}`;
  const api = await startApi(testbed, { ...service, temporalAddress, name: `api-${name}` });
  const plan: Plan = { name, events: stored };
  service.plans.push(plan);
  await burst(load, api.port, plan);
  await api.stop();
  await sleep(QUIET_MS);
  const worker = await startWorker(testbed, {
    ...service,
    env: FREQUENT_SWEEPS,
    name: `worker-${name}`,
  });
  const startedAt = machineMs();
  const endedAt = await untilProcessed(service.db, DRAINED_WITHIN_MS);
  await worker.stop();
  return perSecond(stored, endedAt - startedAt);
}

const perSecond = (events: number, ms: number) => (events / ms) * 1000;
