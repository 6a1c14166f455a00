import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { createProcesses, type Processes } from '../support/processes.ts';

const database = await useDatabase();
const temporal = await useTemporal();
const SOON = { timeout: 60_000, interval: 200 };
let processes: Processes;
afterEach(() => processes.close());

it('an idle worker warns of nothing', async () => {
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: { LOG_LEVEL: 'info', SWEEP_INTERVAL_SECONDS: '1' },
  });
  await processes.start('worker');
  /** How many sweeps have ended, or runs of reconcile if those are fewer. */
  const ended = async () => {
    const types = ['sweepPendingEvents', 'reconcile'].map((type) =>
      temporal.client.workflow.count(`WorkflowType = '${type}' and ExecutionStatus = 'Completed'`),
    );
    return Math.min(...(await Promise.all(types)).map(({ count }) => count));
  };
  const read = () => readFile(join(processes.dir, 'logs', 'worker.log'), 'utf8');
  await expect.poll(ended, SOON).toBeGreaterThan(0);
  // The SDK warns at the start of queues that have no workflows.
  const atStart = (await read()).length;
  await expect.poll(ended, SOON).toBeGreaterThan(3);
  const lines = (await read())
    .slice(atStart)
    .split('\n')
    .filter((line) => line !== '');
  // The tests have no mail server, and nobody at the public address.
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  expect(warnings.filter(({ event }) => event !== 'surroundings_faulty')).toEqual([]);
}, 180_000);
