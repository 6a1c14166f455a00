import { randomUUID } from 'node:crypto';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createIngestDispatcher,
  type IngestBatch,
  type IngestDispatcher,
} from '../../../api/intake/ingest-dispatcher.ts';
import type { NewEvent } from '../../../db/events/webhook-events.ts';
import { EventId, TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { required } from '../../support/factories.ts';

type Run = { batch: IngestBatch; end(error?: Error): Promise<void> };

let runs: Run[];
let log: string[];
/** The first events of the runs that ask a provider. */
let asking: Set<EventId | undefined>;
let isDatabaseAway: boolean;
let dispatcher: IngestDispatcher;
beforeEach(() => {
  runs = [];
  log = [];
  asking = new Set();
  isDatabaseAway = false;
  dispatcher = createDispatcher(NEVER_SLOW_MS);
});

const NEVER_SLOW_MS = 600_000;
const SOON = { timeout: 20_000, interval: 1 };

function createDispatcher(busyMs: number, gatherMs = 0): IngestDispatcher {
  return createIngestDispatcher({
    gatherMs,
    ingest: (batch) =>
      new Promise((resolve, reject) => {
        const end = async (error?: Error) => {
          if (error) reject(error);
          else resolve();
          await turn();
        };
        runs.push({ batch, end });
      }),
    async isAsking([first]) {
      if (isDatabaseAway) throw new Error('The database is away.');
      return asking.has(first);
    },
    lookAfterMs: 1,
    log: createLogger({ level: 'info', service: 'test' }, { write: (line) => log.push(line) }),
    busyMs,
  });
}

it('leaves to the sweep what is beyond a limit', async () => {
  const event = { ...anEvent({}), delaySeconds: 60 };
  dispatcher.add([event], [{ id: event.id, tenantId: oneTenant }]);
  expect([runs.length, dispatcher.waiting()]).toEqual([0, 0]);
  add([{}]);
  expect(runs).toHaveLength(1);
});

describe('drain', () => {
  it('starts a run for everything that waits, and resolves when they are done', async () => {
    add(Array.from({ length: 2_200 }, () => ({})));
    expect(runs).toHaveLength(2);
    let isDrained = false;
    const drained = dispatcher.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(dispatcher.waiting()).toBe(0);
    expect(runs.flatMap(({ batch }) => batch.eventIds)).toHaveLength(2_200);
    for (const run of runs.slice(1)) await run.end();
    expect(isDrained).toBe(false);
    await required(runs[0]).end(new Error('no Temporal'));
    await drained;
  });

  it('waits no longer than its limit', async () => {
    add([{}]);
    await dispatcher.drain(50);
    expect(runs).toHaveLength(1);
  });

  it('logs one line per second, however many batches fail', async () => {
    add(Array.from({ length: 2_200 }, () => ({})));
    const drained = dispatcher.drain(60_000);
    for (const run of [...runs]) await run.end(new Error('no Temporal'));
    await drained;
    expect(log.filter((line) => line.includes('ingest_not_dispatched'))).toHaveLength(1);
  });
});

type Some = { tenantId?: TenantId | null; provider?: Provider; correlationId?: string };

function add(items: readonly Some[]): EventId[] {
  const events = items.map((item) => anEvent(item));
  const stored = events.map(({ id }, index) => ({ id, tenantId: tenantOf(items[index]) }));
  dispatcher.add(events, stored);
  return events.map(({ id }) => id);
}

const oneTenant = aTenantId();
const tenantOf = (item: Some | undefined) =>
  item?.tenantId === undefined ? oneTenant : item.tenantId;

function aTenantId(): TenantId {
  return TenantId.parse(randomUUID());
}

function anEvent({ provider = 'alpha', correlationId = 'test' }: Some): NewEvent {
  return {
    id: EventId.parse(randomUUID()),
    provider,
    merchantId: 'M',
    eventType: 'payment.updated',
    body: Buffer.from('{}'),
    correlationId,
  };
}

const some = (count: number, item: Some = {}) => Array.from({ length: count }, () => item);
const sizes = () => runs.map(({ batch }) => batch.eventIds.length);
const run = (index: number) => required(runs[index]);

/** Ends all runs, oldest first, including those that start in the meantime. */
async function endAll(): Promise<void> {
  for (let index = 0; index < runs.length; index++) await run(index).end();
}

describe('a dispatcher', () => {
  it('dispatches an event at once when idle', () => {
    const [id] = add([{ correlationId: 'request-1' }]);
    expect(runs.map(({ batch }) => batch)).toEqual([
      {
        provider: 'alpha',
        eventIds: [id],
        tenantIds: [oneTenant],
        correlationIds: ['request-1'],
        traceparents: [],
      },
    ]);
    expect(dispatcher.waiting()).toBe(0);
  });

  it('gathers events that arrive during two batches into the next one', async () => {
    const ids = [1, 2, 3, 4, 5].flatMap(() => add([{}]));
    expect(sizes()).toEqual([1, 1]);
    expect(dispatcher.waiting()).toBe(3);

    await run(0).end();
    expect(sizes()).toEqual([1, 1, 3]);
    expect(runs.flatMap(({ batch }) => batch.eventIds)).toEqual(ids);
    await run(1).end();
    await run(2).end();
    add([{}]);
    expect(sizes()).toEqual([1, 1, 3, 1]);
  });

  it('starts a second batch once as many wait as run, and never a third', async () => {
    add(some(3));
    add(some(2));
    expect(sizes()).toEqual([3]);
    add([{}]);
    expect(sizes()).toEqual([3, 3]);
    add(some(1_000));
    expect(sizes()).toEqual([3, 3]);
  });

  it('starts a batch beside a large one only when it is full', async () => {
    add(some(50));
    add(some(999));
    expect(sizes()).toEqual([50]);
    add([{}]);
    expect(sizes()).toEqual([50, 1_000]);
    add(some(1_200));
    await run(1).end();
    expect(sizes()).toEqual([50, 1_000, 1_000]);
    await run(0).end();
    await run(2).end();
    expect(sizes()).toEqual([50, 1_000, 1_000, 200]);
  });

  it('gathers for a moment after a large batch, unless the next one is full', async () => {
    dispatcher = createDispatcher(NEVER_SLOW_MS, 300);
    add(some(50));
    add(some(10));
    await run(0).end();
    expect(sizes()).toEqual([50]);
    add(some(10));
    await expect.poll(sizes).toEqual([50, 20]);
    await run(1).end();
    // After a small one there is nothing to wait for.
    add([{}]);
    expect(sizes()).toEqual([50, 20, 1]);
    await run(2).end();
    add(some(60));
    add(some(1_000));
    expect(sizes()).toEqual([50, 20, 1, 60, 1_000]);
  });

  it('continues beside runs that wait for something else, up to a limit', async () => {
    dispatcher = createDispatcher(1);
    for (let nth = 1; nth <= 10; nth++) {
      add([{}]);
      await expect.poll(() => runs.length).toBe(nth);
    }
    add([{}]);
    await sleep(50);
    expect(runs).toHaveLength(10);
    await run(3).end();
    expect(runs).toHaveLength(11);
  });

  it('continues beside runs that ask a provider, of which nothing waits for the end', async () => {
    for (let nth = 1; nth <= 100; nth++) {
      const [id] = add([{}]);
      asking.add(id);
      await expect.poll(() => runs.length, SOON).toBe(nth);
    }
    await sleep(50);
    await dispatcher.drain(NEVER_SLOW_MS);
    expect(run(0).batch.eventIds).toHaveLength(1);
  });

  it('counts a run that asks beside a hundred others like one that does not', async () => {
    for (let nth = 1; nth <= 102; nth++) {
      const [id] = add([{}]);
      asking.add(id);
      await expect.poll(() => runs.length, SOON).toBe(nth);
    }
    add([{}]);
    await sleep(50);
    expect(runs).toHaveLength(102);
    await run(0).end();
    await expect.poll(() => runs.length, SOON).toBe(103);
  });

  it('starts what waits once a run asks, however late, whatever hindered the look', async () => {
    isDatabaseAway = true;
    const [first] = add(some(3));
    add(some(3));
    add(some(4));
    asking.add(first);
    await sleep(50);
    expect(sizes()).toEqual([3, 3]);
    isDatabaseAway = false;
    await expect.poll(sizes, SOON).toEqual([3, 3, 4]);
    // That it asked is forgotten at its end, and frees nothing else.
    await run(0).end();
    add(some(4));
    await sleep(50);
    expect(sizes()).toEqual([3, 3, 4]);
    await run(1).end();
    expect(sizes()).toEqual([3, 3, 4, 4]);
  });

  it('counts runs of which it cannot know whether they ask until their end', async () => {
    isDatabaseAway = true;
    for (let nth = 1; nth <= 3; nth++) add([{}]);
    await sleep(50);
    expect(sizes()).toEqual([1, 1]);
    await run(1).end(new Error('no Temporal'));
    expect(sizes()).toEqual([1, 1, 1]);
  });

  it('puts at most 1,000 events into a batch', async () => {
    const ids = add(some(2_201));
    await endAll();
    expect(sizes()).toEqual([1_000, 1_000, 201]);
    expect(runs.flatMap(({ batch }) => batch.eventIds)).toEqual(ids);
  });

  it('fills a batch with events of however many tenants, and names each tenant once', async () => {
    const tenants = Array.from({ length: 200 }, aTenantId);
    add([{}]);
    const ids = add(tenants.flatMap((tenantId) => [{ tenantId }, { tenantId }]));

    await run(0).end();
    expect(run(1).batch.tenantIds).toEqual(tenants);
    expect(run(1).batch.eventIds).toEqual(ids);
    await endAll();
  });

  it('puts one provider into a batch, although the events arrive mixed', async () => {
    add([{}]);
    const mixed = [1, 2, 3].flatMap(() => [{ provider: 'beta' }, { provider: 'alpha' }] as const);
    const ids = add(mixed);
    await endAll();
    expect(runs.slice(1).map(({ batch }) => [batch.provider, batch.eventIds])).toEqual([
      ['beta', [ids[0], ids[2], ids[4]]],
      ['alpha', [ids[1], ids[3], ids[5]]],
    ]);
  });

  it('skips the events of unknown merchants', () => {
    const ids = add([{ tenantId: null }, {}, { tenantId: null }]);
    expect(runs.map(({ batch }) => batch.eventIds)).toEqual([[ids[1]]]);
  });

  it('passes the correlation id of each event', () => {
    add([{ correlationId: 'a' }, { correlationId: 'b' }, { correlationId: 'a' }]);
    expect(run(0).batch.correlationIds).toEqual(['a', 'b', 'a']);
  });
});

describe('a batch that is rejected', () => {
  it('is left to the sweep and logged, and nothing else is lost', async () => {
    const ids = add(some(3));
    const later = add(some(2));
    await run(0).end(new Error('Temporal is away'));

    const lines = log.map((line) => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 40,
        events: 3,
        err: expect.objectContaining({ message: 'Temporal is away' }),
      }),
    ]);
    expect(sizes()).toEqual([3, 2]);
    await endAll();
    const passed = runs.flatMap(({ batch }) => batch.eventIds);
    expect(passed.filter((id) => ids.includes(id))).toHaveLength(3);
    expect(passed.slice(-2)).toEqual(later);
  });

  it('frees its slot even when ingest throws before it returns', async () => {
    const taken: IngestBatch[] = [];
    const throwing = createIngestDispatcher({
      ingest: (batch) => {
        taken.push(batch);
        throw new Error('not even a promise');
      },
      isAsking: async () => false,
      log: createLogger({ level: 'silent', service: 'test' }),
    });
    const event = anEvent({});
    for (let nth = 1; nth <= 5; nth++) {
      throwing.add([event], [{ id: event.id, tenantId: oneTenant }]);
      await turn();
      expect(taken).toHaveLength(nth);
    }
  });
});

describe('the queue', () => {
  it('is bounded: the sweep finds the rest in the table', async () => {
    add([{}]);
    add(some(500));
    for (let nth = 0; nth < 41; nth++) add(some(500));
    expect(dispatcher.waiting()).toBe(20_000);

    await run(0).end();
    expect(dispatcher.waiting()).toBe(19_000);
    add(some(1_100));
    expect(dispatcher.waiting()).toBe(20_000);
    await endAll();
    expect(dispatcher.waiting()).toBe(0);
    expect(sizes().reduce((sum, size) => sum + size)).toBe(21_501);
  });
});
