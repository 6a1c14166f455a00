import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Attempt, createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import { redemptionCount, wrongCredits } from './exactness.ts';
import type { Member } from './member.ts';
import { settings } from './settings.ts';
import { startTopology, type Topology, tell } from './topology.ts';
import { buyers, deliver, redeem, tally } from './traffic.ts';

const SERIES = { name: 'outages' };
const WEBHOOKS_PER_SECOND = 100;
const CONFIRMS_PER_SECOND = 20;
const POSTGRES_AWAY_MS = 5_000;
const BREATHING_MS = 5_000;
/** Connections to a Postgres that is back are made anew, one by one. */
const BACK_WITHIN_MS = 5_000;

let topology: Topology;
beforeAll(async () => {
  topology = await startTopology();
});
afterAll(() => topology?.close());

type Window = { from: number; until: number };

it('loses nothing and doubles nothing, whatever is killed or away', async () => {
  const { db } = topology;
  const client = createClient(topology.port, 256);
  const redeemers = await buyers(topology, client, 400);

  let isHappening = true;
  const pace = { goesOn: () => isHappening, retry: true };
  const load = Promise.all([
    deliver(topology, client, SERIES, { ...pace, perSecond: WEBHOOKS_PER_SECOND }),
    redeem(client, redeemers, { ...pace, perSecond: CONFIRMS_PER_SECOND }),
  ]);
  const away = await letEverythingHappen(topology).finally(() => {
    isHappening = false;
  });
  const [webhooks, confirms] = await load;
  client.close();

  const meanwhile = webhooks.attempts.filter((attempt) => isDuring(attempt, away));
  const otherwise = webhooks.attempts.filter((attempt) => !isDuring(attempt, away));
  tell(`webhooks while Postgres was away: ${JSON.stringify(tally(meanwhile))}`);
  tell(`webhooks otherwise: ${JSON.stringify(tally(otherwise))}`);
  tell(`confirms: ${JSON.stringify(tally(confirms.attempts))}`);
  expect(Object.keys(tally(otherwise))).toEqual(['200']);
  expect(tally(meanwhile)[503]).toBeGreaterThan(0);
  expect(Object.keys(tally(meanwhile)).filter((status) => !/^(200|503)$/.test(status))).toEqual([]);

  tell(`drained ${(await untilDrained(db, 300)).toFixed(1)} s after the last webhook`);
  expect(webhooks.accepted.size).toBe(webhooks.count);
  expect(await wrongCredits(db, SERIES, webhooks)).toEqual([]);
  // Each was repeated with its key until it was confirmed, and confirmed once.
  expect(confirms.accepted.size).toBe(confirms.count);
  expect(await redemptionCount(db)).toBe(confirms.accepted.size);
  const verified = await topology.verify();
  expect(verified.status, verified.text).toBe(0);
  expect(topology.faults()).toEqual([]);
});

/** Kills and stops one part after the other; gives the time in which Postgres was away. */
async function letEverythingHappen({ apis, workers, temporal, postgres }: Topology) {
  await sleep(BREATHING_MS);
  for (const member of [...apis, ...workers, temporal]) await killAndStart(member);

  await temporal.stop();
  tell(`temporal: away for ${settings.outageSeconds} s`);
  await sleep(settings.outageSeconds * 1000);
  await temporal.start();

  const from = Date.now();
  await postgres.stop();
  await sleep(POSTGRES_AWAY_MS);
  await postgres.start();
  const until = Date.now() + BACK_WITHIN_MS;
  await sleep(BACK_WITHIN_MS + BREATHING_MS);
  tell(`postgres: away for ${until - BACK_WITHIN_MS - from} ms`);
  return { from, until };
}

async function killAndStart(member: Member): Promise<void> {
  await member.kill();
  tell(`${member.name}: killed`);
  await member.start();
  await sleep(BREATHING_MS);
}

/** Whether a request that was begun then may have met with what was away. */
function isDuring({ at, ms }: Attempt, { from, until }: Window): boolean {
  return at <= until && at + ms >= from;
}
