import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memoryOf } from '../../bench/process-figures.ts';
import { type Client, createClient } from './client.ts';
import { pendingEvents, untilDrained } from './draining.ts';
import { wrongCredits } from './exactness.ts';
import { settings } from './settings.ts';
import { startTopology, type Topology, tell } from './topology.ts';
import { deliver, percentileMs, type Series, tally } from './traffic.ts';

const SERIES = { name: 'overload' };
/** So many that it is the service that is overloaded, and not they that hold the load back. */
const CONNECTIONS = 1_000;
const WARM_UP_EVENTS = 1_000;
const PROBE_EVENTS = 10_000;
const PROBE_PER_SECOND = 2_500;
const SAMPLE_MS = 2_000;
const RECOVERED_WITHIN_SECONDS = 1_800;
/** What the compose file gives an API and a worker. */
const MOST_MIB = { api: 512, worker: 768 };

let topology: Topology;
beforeAll(async () => {
  topology = await startTopology();
});
afterAll(() => topology?.close());

it('keeps everything it accepted at twice what it can sustain, in bounded memory', async () => {
  const { db } = topology;
  const client = createClient(topology.port, CONNECTIONS);
  await creditedPerSecond(client, { name: 'warm' }, WARM_UP_EVENTS);
  const sustained = await creditedPerSecond(client, { name: 'probe' }, PROBE_EVENTS);
  const perSecond = 2 * sustained;
  tell(`sustained: ${sustained}/s; now ${perSecond}/s for ${settings.overloadSeconds} s`);

  const watch = watchMemory(topology);
  const begun = performance.now();
  const goesOn = (seconds: number) => seconds < settings.overloadSeconds;
  const sent = await deliver(topology, client, SERIES, { perSecond, goesOn, retry: false });
  const { attempts, accepted } = sent;
  const seconds = (performance.now() - begun) / 1000;
  const left = await pendingEvents(db);
  tell(`${JSON.stringify(tally(attempts))} in ${seconds.toFixed(0)} s`);
  tell(`p50 ${percentileMs(attempts, 50)} ms, p99 ${percentileMs(attempts, 99)} ms`);
  tell(`${left} of ${accepted.size} accepted events were still to be credited`);

  const drained = await untilDrained(db, RECOVERED_WITHIN_SECONDS);
  const most = watch.stop();
  client.close();
  tell(
    `recovered by itself ${drained.toFixed(0)} s later; most memory: ${JSON.stringify(most)} MiB`,
  );

  expect(Object.keys(tally(attempts)).filter((status) => !/^(200|503)$/.test(status))).toEqual([]);
  expect(await wrongCredits(db, SERIES, sent)).toEqual([]);
  for (const [name, mib] of Object.entries(most)) {
    expect(mib, name).toBeLessThan(name.startsWith('api') ? MOST_MIB.api : MOST_MIB.worker);
  }
  const verified = await topology.verify();
  expect(verified.status, verified.text).toBe(0);
  expect(topology.faults()).toEqual([]);
});

/** How many events a second are credited, from the first one sent until all are. */
async function creditedPerSecond(client: Client, series: Series, events: number): Promise<number> {
  const begun = performance.now();
  const goesOn = (seconds: number) => seconds * PROBE_PER_SECOND < events;
  const pace = { perSecond: PROBE_PER_SECOND, goesOn, retry: true };
  const { count } = await deliver(topology, client, series, pace);
  await untilDrained(topology.db, 120);
  return Math.round(count / ((performance.now() - begun) / 1000));
}

/** Looks at the memory of each API and worker again and again, until it is stopped. */
function watchMemory({ apis, workers }: Topology) {
  const most: Record<string, number> = {};
  const look = () => {
    for (const member of [...apis, ...workers]) {
      const { nowMib } = memoryOf(member.pid());
      most[member.name] = Math.max(most[member.name] ?? 0, Math.round(nowMib));
    }
  };
  const stopped = new AbortController();
  void (async () => {
    while (!stopped.signal.aborted) {
      look();
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return most;
    },
  };
}
