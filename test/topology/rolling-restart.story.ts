import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import { redemptionCount, wrongCredits } from './exactness.ts';
import { settings } from './settings.ts';
import { startTopology, type Topology, tell } from './topology.ts';
import { buyers, deliver, percentileMs, redeem, tally } from './traffic.ts';

const SERIES = { name: 'rolling' };
const WEBHOOKS_PER_SECOND = 100;
const CONFIRMS_PER_SECOND = 20;
/** As an operator waits for the health check before going on with the next one. */
const SETTLING_MS = 2_000;

let topology: Topology;
beforeAll(async () => {
  topology = await startTopology();
});
afterAll(() => topology?.close());

it('restarts every API and every worker in turn under load, and no client notices', async () => {
  const { db, apis, workers } = topology;
  const client = createClient(topology.port, 64);
  const redeemers = await buyers(topology, client, 400);

  let isRestarting = true;
  const goesOn = (seconds: number) => isRestarting || seconds < settings.loadSeconds;
  const pace = { goesOn, retry: false };
  const load = Promise.all([
    deliver(topology, client, SERIES, { ...pace, perSecond: WEBHOOKS_PER_SECOND }),
    redeem(client, redeemers, { ...pace, perSecond: CONFIRMS_PER_SECOND }),
  ]);
  for (const member of [...apis, ...workers]) {
    await sleep(SETTLING_MS);
    const begun = Date.now();
    await member.stop();
    const stopped = Date.now();
    await member.start();
    tell(`${member.name}: stopped in ${stopped - begun} ms, back in ${Date.now() - stopped} ms`);
  }
  isRestarting = false;
  const [webhooks, confirms] = await load;
  client.close();

  for (const [what, { attempts }] of Object.entries({ webhooks, confirms })) {
    const [p50, p99] = [percentileMs(attempts, 50), percentileMs(attempts, 99)];
    tell(`${what}: ${JSON.stringify(tally(attempts))}, p50 ${p50} ms, p99 ${p99} ms`);
  }
  expect(webhooks.count).toBeGreaterThan(WEBHOOKS_PER_SECOND * (settings.loadSeconds - 1));
  expect(tally(webhooks.attempts)).toEqual({ 200: webhooks.count });
  expect(tally(confirms.attempts)).toEqual({ 200: confirms.count });
  tell(`drained ${(await untilDrained(db, 120)).toFixed(1)} s after the last webhook`);
  expect(await wrongCredits(db, SERIES, webhooks)).toEqual([]);
  expect(await redemptionCount(db)).toBe(confirms.accepted.size);
  const verified = await topology.verify();
  expect(verified.status, verified.text).toBe(0);
  expect(topology.faults()).toEqual([]);
});
