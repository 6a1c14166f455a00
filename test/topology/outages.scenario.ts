import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Attempt, createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import type { Member } from './member.ts';
import { settings } from './settings.ts';
import { log, type Topology } from './topology.ts';
import { createRedeemers, deliver, redeem, tally } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';
import { redemptionCount, wrongCredits } from './verify-credits.ts';

const SERIES = { name: 'outages' };
const WEBHOOKS_PER_SECOND = 100;
const CONFIRMS_PER_SECOND = 20;
const POSTGRES_DOWN_MS = 5_000;
const PAUSE_MS = 5_000;
/** After Postgres has restarted, the pools reopen their connections one by one. */
const BACK_WITHIN_MS = 5_000;

const topology = await useTopology();

type Window = { from: number; until: number };

it('no sale is lost or credited twice while processes crash and servers are down', async () => {
  const { db } = topology;
  const client = createClient(topology.port, 256);
  const redeemers = await createRedeemers(topology, client, 400);

  let hasOutages = true;
  const pace = { shouldContinue: () => hasOutages, retry: true };
  const load = Promise.all([
    deliver(topology, client, SERIES, { ...pace, perSecond: WEBHOOKS_PER_SECOND }),
    redeem(client, redeemers, { ...pace, perSecond: CONFIRMS_PER_SECOND }),
  ]);
  const outage = await causeOutages(topology).finally(() => {
    hasOutages = false;
  });
  const [webhooks, confirms] = await load;
  client.close();

  const during = webhooks.attempts.filter((attempt) => overlaps(attempt, outage));
  const otherwise = webhooks.attempts.filter((attempt) => !overlaps(attempt, outage));
  log(`webhooks while Postgres was down: ${JSON.stringify(tally(during))}`);
  log(`webhooks otherwise: ${JSON.stringify(tally(otherwise))}`);
  log(`confirms: ${JSON.stringify(tally(confirms.attempts))}`);
  expect(Object.keys(tally(otherwise))).toEqual(['200']);
  expect(tally(during)[503]).toBeGreaterThan(0);
  expect(Object.keys(tally(during)).filter((status) => !/^(200|503)$/.test(status))).toEqual([]);

  log(`drained ${(await untilDrained(db, 300)).toFixed(1)} s after the last webhook`);
  expect(webhooks.accepted.size).toBe(webhooks.count);
  expect(await wrongCredits(db, SERIES, webhooks)).toEqual([]);
  // Each confirm was repeated with its idempotency key until it succeeded, and took effect once.
  expect(confirms.accepted.size).toBe(confirms.count);
  expect(await redemptionCount(db)).toBe(confirms.accepted.size);
  await expectIntact(topology);
});

/** Kills every process and stops every server in turn. Returns when Postgres was down. */
async function causeOutages({ apis, workers, temporal, postgres }: Topology): Promise<Window> {
  await sleep(PAUSE_MS);
  for (const member of [...apis, ...workers, temporal]) await killAndStart(member);

  await temporal.stop();
  log(`temporal: down for ${settings.outageSeconds} s`);
  await sleep(settings.outageSeconds * 1000);
  await temporal.start();

  const from = Date.now();
  await postgres.stop();
  await sleep(POSTGRES_DOWN_MS);
  await postgres.start();
  const until = Date.now() + BACK_WITHIN_MS;
  await sleep(BACK_WITHIN_MS + PAUSE_MS);
  log(`postgres: down for ${until - BACK_WITHIN_MS - from} ms`);
  return { from, until };
}

async function killAndStart(member: Member): Promise<void> {
  await member.kill();
  log(`${member.name}: killed`);
  await member.start();
  await sleep(PAUSE_MS);
}

/** Whether any part of the request falls into the window. */
function overlaps({ at, ms }: Attempt, { from, until }: Window): boolean {
  return at <= until && at + ms >= from;
}
