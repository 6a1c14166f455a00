import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { percentile } from '../../bench/statistics.ts';
import { createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import { settings } from './settings.ts';
import { log } from './topology.ts';
import { createRedeemers, deliver, redeem, tally } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';
import { redemptionCount, wrongCredits } from './verify-credits.ts';

const SERIES = { name: 'rolling' };
const WEBHOOKS_PER_SECOND = 100;
const CONFIRMS_PER_SECOND = 20;
/** As an operator waits for the health check before restarting the next process. */
const SETTLING_MS = 2_000;

// Behind a pooler that gives its connections to another process after each transaction.
const topology = await useTopology({ hasPooler: true });

it('every request succeeds while each API and worker is restarted in turn under load', async () => {
  const { db, apis, workers } = topology;
  const client = createClient(topology.port, 64);
  const redeemers = await createRedeemers(topology, client, 400);

  let isRestarting = true;
  const shouldContinue = (seconds: number) => isRestarting || seconds < settings.loadSeconds;
  const pace = { shouldContinue, retry: false };
  const load = Promise.all([
    deliver(topology, client, SERIES, { ...pace, perSecond: WEBHOOKS_PER_SECOND }),
    redeem(client, redeemers, { ...pace, perSecond: CONFIRMS_PER_SECOND }),
  ]);
  for (const member of [...apis, ...workers]) {
    await sleep(SETTLING_MS);
    const stoppingAt = Date.now();
    await member.stop();
    const stoppedAt = Date.now();
    await member.start();
    const [stopMs, startMs] = [stoppedAt - stoppingAt, Date.now() - stoppedAt];
    log(`${member.name}: stopped in ${stopMs} ms, started in ${startMs} ms`);
  }
  isRestarting = false;
  const [webhooks, confirms] = await load;
  client.close();

  for (const [what, { attempts }] of Object.entries({ webhooks, confirms })) {
    const latencies = attempts.map(({ ms }) => ms);
    const [p50, p99] = [percentile(latencies, 50), percentile(latencies, 99)];
    log(`${what}: ${JSON.stringify(tally(attempts))}, p50 ${p50} ms, p99 ${p99} ms`);
  }
  expect(webhooks.count).toBeGreaterThan(WEBHOOKS_PER_SECOND * (settings.loadSeconds - 1));
  expect(tally(webhooks.attempts)).toEqual({ 200: webhooks.count });
  expect(tally(confirms.attempts)).toEqual({ 200: confirms.count });
  log(`drained ${(await untilDrained(db, 120)).toFixed(1)} s after the last webhook`);
  expect(await wrongCredits(db, SERIES, webhooks)).toEqual([]);
  expect(await redemptionCount(db)).toBe(confirms.accepted.size);
  await expectIntact(topology);
});
