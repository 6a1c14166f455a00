import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createRedemptionBatches,
  type IssuedRedemption,
  type RedemptionBatches,
} from '../../../api/background/redemption-batches.ts';
import { RedemptionId, TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';

type Start = { batch: readonly IssuedRedemption[]; end(error?: Error): Promise<void> };

let starts: Start[];
let log: string[];
let batches: RedemptionBatches;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  starts = [];
  log = [];
  batches = createRedemptionBatches({
    start: (batch) =>
      new Promise((resolve, reject) => {
        const end = async (error?: Error) => {
          if (error) reject(error);
          else resolve(undefined);
          await turn();
        };
        starts.push({ batch, end });
      }),
    log: createLogger({ level: 'info', service: 'test' }, { write: (line) => log.push(line) }),
    gatherMs: 500,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function add(count: number): IssuedRedemption[] {
  const added = Array.from({ length: count }, () => ({
    id: RedemptionId.parse(randomUUID()),
    tenantId: TenantId.parse(randomUUID()),
    correlationId: 'a-request',
  }));
  for (const issued of added) batches.add(issued);
  return added;
}
const sizes = () => starts.map(({ batch }) => batch.length);

it('starts a run at once for a single redemption', () => {
  const [issued] = add(1);
  expect(starts.map(({ batch }) => batch)).toEqual([[issued]]);
  expect(batches.waiting()).toBe(0);
});

it('starts one run for those that are issued within the time after it', async () => {
  add(1);
  await starts[0]?.end();
  const gathered = [...add(3), ...add(2)];
  expect(sizes()).toEqual([1]);
  expect(batches.waiting()).toBe(5);
  vi.advanceTimersByTime(499);
  expect(sizes()).toEqual([1]);
  vi.advanceTimersByTime(1);
  expect(starts[1]?.batch).toEqual(gathered);
});

it('starts one run at a time, however long it takes', async () => {
  add(1);
  add(5);
  vi.advanceTimersByTime(5_000);
  expect(sizes()).toEqual([1]);
  await starts[0]?.end();
  expect(sizes()).toEqual([1, 5]);
});

it('does not wait with a full batch', async () => {
  add(1);
  await starts[0]?.end();
  add(450);
  expect(sizes()).toEqual([1, 200]);
  await starts[1]?.end();
  expect(sizes()).toEqual([1, 200, 200]);
  await starts[2]?.end();
  expect(sizes()).toEqual([1, 200, 200]);
  vi.advanceTimersByTime(500);
  expect(sizes()).toEqual([1, 200, 200, 50]);
});

it('starts the next batch after one could not be started, and logs it', async () => {
  add(1);
  add(2);
  await starts[0]?.end(new Error('Temporal is away'));
  vi.advanceTimersByTime(500);
  expect(sizes()).toEqual([1, 2]);
  expect(log.join()).toContain('redemptions_not_followed');
});

it('keeps no more than 20,000 in memory', () => {
  add(20_100);
  expect(batches.waiting()).toBe(20_000);
});

it('close: starts what waits at once', async () => {
  add(1);
  add(250);
  const closing = batches.close();
  for (let nth = 0; nth < 3; nth++) await starts[nth]?.end();
  await closing;
  expect(sizes()).toEqual([1, 200, 50]);
});

it('close: leaves the rest to reconcile when a batch cannot be started', async () => {
  add(1);
  add(250);
  const closing = batches.close();
  await starts[0]?.end();
  await starts[1]?.end(new Error('Temporal is away'));
  await closing;
  expect(sizes()).toEqual([1, 200]);
});
