import { readdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './clock.ts';
import { type Options, repetitions } from './options.ts';
import { type Program, startApi, startWorker } from './programs.ts';
import { formatSpread, type Section } from './report.ts';
import { appendTo, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const REPETITIONS = 5;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 5;
/** Where workers store the bundle of the workflows, which they build where it is missing. */
const BUNDLES = new URL('../node_modules/.cache/loyalty/', import.meta.url);

const VARIANTS = [
  { key: 'api', name: 'API, until /health/ready answers 200' },
  { key: 'worker', name: 'worker, until it takes work, with a stored bundle' },
  { key: 'worker_bundling', name: 'worker, which bundles the workflows first' },
] as const;

/** Part 9: measures how long the processes take to start. */
export async function measureStartUp(testbed: Testbed, options: Options): Promise<Section> {
  const databaseUrl = await testbed.database('bench_start_up');
  const temporal = await testbed.ownTemporal('start-up');
  const service = { databaseUrl, temporalAddress: temporal.address };
  const start = {
    api: () => startApi(testbed, { ...service, name: 'api-start' }).then(untilReady),
    worker: () => startWorker(testbed, { ...service, name: nextName() }),
    async worker_bundling() {
      await removeBundles();
      return startWorker(testbed, { ...service, name: nextName() });
    },
  };
  // The first worker of a namespace creates its Schedules, and stores the bundle.
  await (await start.worker()).stop();
  const seconds = new Map<string, number[]>();
  for (const repetition of repetitions(options, REPETITIONS)) {
    testbed.log(`Part 9, repetition ${repetition}`);
    for (const { key } of VARIANTS) {
      const startedAt = machineMs();
      const program: Program = await start[key]();
      appendTo(seconds, `${key}.seconds`, (machineMs() - startedAt) / 1000);
      await program.stop();
    }
  }
  await temporal.stop();
  return {
    key: 'start_up',
    figures: spreadsOf(seconds),
    title: '9. Start-up, seconds (min/median/max)',
    note: 'From starting the process; Postgres and Temporal run already.',
    columns: ['process', 'seconds'],
    rows: VARIANTS.map(({ key, name }) => [
      name,
      formatSpread(spreadOf(seconds.get(`${key}.seconds`) ?? [])),
    ]),
    bars: [],
  };
}

let started = 0;
/** A log of its own for each worker, so that none is taken for ready by the line of another. */
const nextName = () => `worker-start-${started++}`;

async function untilReady<T extends { port: number }>(api: T): Promise<T> {
  const url = `http://127.0.0.1:${api.port}/health/ready`;
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const { status } = await fetch(url);
    if (status === 200) return api;
  }
  throw new Error(`${url} did not answer 200 within ${READY_WITHIN_MS / 1000} s`);
}

/** Other processes of this checkout that start meanwhile store them again. */
async function removeBundles(): Promise<void> {
  const names = await readdir(BUNDLES).catch(() => []);
  for (const name of names) await rm(new URL(name, BUNDLES), { force: true });
}
