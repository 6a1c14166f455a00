import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import type { Member } from './member.ts';
import { makeOtherRelease } from './other-release.ts';
import { log } from './topology.ts';
import { createRedeemers, deliver, redeem, tally } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';
import { redemptionCount, wrongCredits } from './verify-credits.ts';

const SERIES = { name: 'there and back' };
const WEBHOOKS_PER_SECOND = 20;
const CONFIRMS_PER_SECOND = 2;
/** As an operator waits for the health check before restarting the next process. */
const SETTLING_MS = 1_000;
const NEXT_MIGRATIONS = new URL('../support/database/next-migrations/', import.meta.url);
const VERSION = '9.0.0';

const topology = await useTopology();
const { apis, apiPorts, workers, db } = topology;

const next = await makeOtherRelease(topology, {
  file: 'package.json',
  after: '"private": true,',
  // Of two that are written the later counts.
  insert: `"version": "${VERSION}",`,
});
await cp(NEXT_MIGRATIONS, join(next.root, 'migrations'), { recursive: true });
const theirs = [
  ...apiPorts.map((port, nth) => next.member(`next-api-${nth + 1}`, port)),
  ...workers.map((_, nth) => next.member(`next-worker-${nth + 1}`)),
];
afterAll(async () => {
  await Promise.all(theirs.map((member) => member.stop()));
  next.remove();
});

/** Replaces the processes one by one, so that both releases serve for most of the time. */
async function replace(running: readonly Member[], by: readonly Member[]): Promise<void> {
  for (const [nth, member] of running.entries()) {
    await sleep(SETTLING_MS);
    await member.stop();
    await by[nth]?.start();
  }
}

async function versions(): Promise<string[]> {
  return Promise.all(
    apiPorts.map(async (port) => {
      const document = await fetch(`http://127.0.0.1:${port}/api/v1/openapi.json`);
      return Object(await document.json()).info.version;
    }),
  );
}

it('every request succeeds while a release is deployed, taken back and deployed', async () => {
  const ours = [...apis, ...workers];
  const client = createClient(topology.port, 64);
  const redeemers = await createRedeemers(topology, client, 100);
  const [version] = await versions();
  let isDeploying = true;
  const pace = { shouldContinue: () => isDeploying, retry: false };
  const load = Promise.all([
    deliver(topology, client, SERIES, { ...pace, perSecond: WEBHOOKS_PER_SECOND }),
    redeem(client, redeemers, { ...pace, perSecond: CONFIRMS_PER_SECOND }),
  ]);

  expect(await next.migrate()).toMatch(/Migrated: 9001_\w+, .*9006_\w+/);
  await replace(ours, theirs);
  expect(await versions()).toEqual([VERSION, VERSION]);
  log('the next release is deployed');

  expect(await topology.migrate()).toMatch(/of a newer release \(9006_\w+\); nothing to do/);
  await replace(theirs, ours);
  expect(await versions()).toEqual([version, version]);
  log('it is taken back');

  expect(await next.migrate()).toContain('Nothing to migrate.');
  await replace(ours, theirs);
  expect(await versions()).toEqual([VERSION, VERSION]);
  isDeploying = false;
  const [webhooks, confirms] = await load;
  client.close();

  log(`webhooks ${JSON.stringify(tally(webhooks.attempts))}, confirms ${confirms.count}`);
  expect(tally(webhooks.attempts)).toEqual({ 200: webhooks.count });
  expect(tally(confirms.attempts)).toEqual({ 200: confirms.count });
  await untilDrained(db, 120);
  expect(await wrongCredits(db, SERIES, webhooks)).toEqual([]);
  expect(await redemptionCount(db)).toBe(confirms.accepted.size);
  await expectIntact(topology);
  expect(theirs.flatMap((member) => member.fault() ?? [])).toEqual([]);
});
