import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { memoryOf } from '../../bench/process-figures.ts';
import { percentile } from '../../bench/statistics.ts';
import { type Client, createClient } from './client.ts';
import { pendingEvents, untilDrained } from './draining.ts';
import { settings } from './settings.ts';
import { log, type Topology } from './topology.ts';
import { deliver, type Series, tally } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';
import { wrongCredits } from './verify-credits.ts';

const SERIES = { name: 'overload' };
/** Enough that the service is the bottleneck, and not the number of connections. */
const CONNECTIONS = 1_000;
const WARM_UP_EVENTS = 1_000;
const PROBE_EVENTS = 10_000;
const PROBE_PER_SECOND = 2_500;
const SAMPLE_MS = 2_000;
const RECOVERED_WITHIN_SECONDS = 1_800;
/** The memory limits of the compose file. */
const LIMIT_MIB = { api: 512, worker: 768 };

const topology = await useTopology();

it('every accepted event is credited, in bounded memory, at twice the sustained rate', async () => {
  const { db } = topology;
  const client = createClient(topology.port, CONNECTIONS);
  await creditedPerSecond(client, { name: 'warm' }, WARM_UP_EVENTS);
  const sustained = await creditedPerSecond(client, { name: 'probe' }, PROBE_EVENTS);
  const perSecond = 2 * sustained;
  log(`sustained: ${sustained}/s; now ${perSecond}/s for ${settings.overloadSeconds} s`);

  const watch = watchMemory(topology);
  const startedAt = performance.now();
  const shouldContinue = (seconds: number) => seconds < settings.overloadSeconds;
  const sent = await deliver(topology, client, SERIES, { perSecond, shouldContinue, retry: false });
  const { attempts, accepted } = sent;
  const seconds = (performance.now() - startedAt) / 1000;
  const left = await pendingEvents(db);
  log(`${JSON.stringify(tally(attempts))} in ${seconds.toFixed(0)} s`);
  const latencies = attempts.map(({ ms }) => ms);
  log(`p50 ${percentile(latencies, 50)} ms, p99 ${percentile(latencies, 99)} ms`);
  log(`${left} of ${accepted.size} accepted events were not yet credited`);

  const drained = await untilDrained(db, RECOVERED_WITHIN_SECONDS);
  const peaks = watch.stop();
  client.close();
  log(
    `recovered by itself ${drained.toFixed(0)} s later; peak memory: ${JSON.stringify(peaks)} MiB`,
  );

  expect(Object.keys(tally(attempts)).filter((status) => !/^(200|503)$/.test(status))).toEqual([]);
  expect(await wrongCredits(db, SERIES, sent)).toEqual([]);
  for (const [name, mib] of Object.entries(peaks)) {
    expect(mib, name).toBeLessThan(name.startsWith('api') ? LIMIT_MIB.api : LIMIT_MIB.worker);
  }
  await expectIntact(topology);
});

/** Returns the events credited per second, from the first one sent until all are credited. */
async function creditedPerSecond(client: Client, series: Series, events: number): Promise<number> {
  const startedAt = performance.now();
  const shouldContinue = (seconds: number) => seconds * PROBE_PER_SECOND < events;
  const pace = { perSecond: PROBE_PER_SECOND, shouldContinue, retry: true };
  const { count } = await deliver(topology, client, series, pace);
  await untilDrained(topology.db, 120);
  return Math.round(count / ((performance.now() - startedAt) / 1000));
}

/** Samples the memory of each API and worker until it is stopped, which returns the peaks. */
function watchMemory({ apis, workers }: Topology) {
  const peaks: Record<string, number> = {};
  const sample = () => {
    for (const member of [...apis, ...workers]) {
      const { nowMib } = memoryOf(member.pid());
      peaks[member.name] = Math.max(peaks[member.name] ?? 0, Math.round(nowMib));
    }
  };
  const stopped = new AbortController();
  void (async () => {
    while (!stopped.signal.aborted) {
      sample();
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return peaks;
    },
  };
}
