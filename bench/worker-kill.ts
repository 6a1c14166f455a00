import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './clock.ts';
import { type Options, repetitions } from './options.ts';
import { startWorker } from './programs.ts';
import { formatSpread, type Section } from './report.ts';
import { deliverAtRate, type Service, untilProcessed, warmUp } from './service.ts';
import { FREQUENT_SWEEPS } from './settings.ts';
import { spreadOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';

const PER_SECOND = 1_500;
const BAR_SECONDS = 4;
const REPETITIONS = 5;

type Measurement = { drainedAfter: number; readyAfter: number; lastSentAfter: number };

/** Part 5: kills the worker during a burst and measures how long a new one takes to drain it. */
export async function measureWorkerKill(service: Service, options: Options): Promise<Section> {
  await service.worker.stop();
  service.worker = await startFrequent(service, 'worker-0');
  await warmUp(service, 'kill');
  const measurements: Measurement[] = [];
  for (const repetition of repetitions(options, REPETITIONS)) {
    service.testbed.log(`Part 5, repetition ${repetition}`);
    measurements.push(await killDuringBurst(service, repetition, options.quick ? 2_000 : 5_000));
    await verifyRun(service.db, service.plans);
  }
  const seconds = (of: (measurement: Measurement) => number) =>
    spreadOf(measurements.map((measurement) => of(measurement) / 1000));
  const drained = seconds(({ drainedAfter }) => drainedAfter);
  return {
    key: 'worker_kill',
    figures: { drained_seconds: drained },
    title: '5. Drained after kill -9 of the worker, seconds from the restart (min/median/max)',
    note: `${PER_SECOND} events/s with 10 % duplicates, killed halfway; every run is verified.`,
    columns: ['all credited', 'new worker ready', 'last event sent'],
    rows: [
      [
        formatSpread(drained),
        formatSpread(seconds(({ readyAfter }) => readyAfter)),
        formatSpread(seconds(({ lastSentAfter }) => lastSentAfter)),
      ],
    ],
    bars: [
      { figure: 'drained, seconds', value: drained.median, spread: drained, atMost: BAR_SECONDS },
    ],
  };
}

async function killDuringBurst(
  service: Service,
  repetition: number,
  events: number,
): Promise<Measurement> {
  const plan = { name: `kill-${repetition}`, events, duplicates: true };
  service.plans.push(plan);
  const { load, api } = service;
  const delivering = deliverAtRate(load, api.port, { plan, perSecond: PER_SECOND });
  await sleep((events / PER_SECOND / 2) * 1000);
  await service.worker.kill();

  const restartedAt = machineMs();
  const starting = startFrequent(service, `worker-${repetition}`).then((worker) => {
    service.worker = worker;
    return machineMs() - restartedAt;
  });
  const { endedAt } = await delivering;
  const creditedAt = await untilProcessed(service.db);
  return {
    drainedAfter: creditedAt - restartedAt,
    readyAfter: await starting,
    lastSentAfter: endedAt - restartedAt,
  };
}

/** Starts a worker that looks every few seconds for what another has left undone. */
function startFrequent({ testbed, databaseUrl, temporal }: Service, name: string) {
  const options = { databaseUrl, temporalAddress: temporal.address, name };
  return startWorker(testbed, { ...options, env: FREQUENT_SWEEPS });
}
