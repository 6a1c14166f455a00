import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../../api/http/replies/errors.ts';
import { createEventStore, type EventStore } from '../../../api/intake/group-commit.ts';
import type { IngestDispatcher } from '../../../api/intake/ingest-dispatcher.ts';
import { connect, type Db } from '../../../db/connection.ts';
import type { NewEvent, StoredEvent } from '../../../db/events/webhook-events.ts';
import { EventId } from '../../../domain/ids.ts';
import { freePort } from '../../../sandbox/processes/ports.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eventRows, forgetEvents } from '../../support/providers/events.ts';

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'x');
const database = await useDatabase();
const { db } = database;

let dispatched: StoredEvent[];
let intake: EventStore;
/** The number of rows of each insert, and the most inserts that ran at once. */
let groups: number[];
let mostAtOnce: number;
let stopWatching: () => void;
beforeEach(() => {
  dispatched = [];
  intake = intakeOn(db);
  groups = [];
  mostAtOnce = 0;
  stopWatching = watch(db);
});
afterEach(async () => {
  stopWatching();
  await forgetEvents(database.owner);
});

function intakeOn(some: Db): EventStore {
  const dispatcher: Pick<IngestDispatcher, 'add'> = {
    add: (_, stored) => void dispatched.push(...stored),
  };
  return createEventStore({ db: some, dispatcher });
}

type Query = { sql: string; bindings: unknown[] };
const isInsert = ({ sql }: Query) => sql.includes('insert into webhook_bodies');

/** Records the inserts that Postgres receives. */
function watch(some: Db): () => void {
  let running = 0;
  const begin = (query: Query) => {
    if (!isInsert(query)) return;
    // An array of ids as Postgres reads it.
    groups.push(String(query.bindings[0]).split(',').length);
    running++;
    mostAtOnce = Math.max(mostAtOnce, running);
  };
  const end = (_: unknown, query: Query) => {
    if (isInsert(query)) running--;
  };
  some.on('query', begin).on('query-response', end).on('query-error', end);
  return () => {
    some.off('query', begin).off('query-response', end).off('query-error', end);
  };
}

function anEvent(event: Partial<NewEvent> = {}): NewEvent {
  return {
    id: EventId.parse(randomUUID()),
    provider: 'alpha',
    merchantId: 'M',
    eventType: 'payment.updated',
    body: Buffer.from('{}'),
    correlationId: 'test',
    ...event,
  };
}

const events = (count: number, event: Partial<NewEvent> = {}) =>
  Array.from({ length: count }, () => anEvent(event));
const storeAll = (some: readonly NewEvent[], by = intake) =>
  Promise.allSettled(some.map((event) => by.store(event)));
const storedIds = async (): Promise<EventId[]> => (await eventRows(db)).map(({ id }) => id);
const idsOf = (some: readonly { id: EventId }[]) => some.map(({ id }) => id).sort();
const outcomesOf = (results: readonly PromiseSettledResult<void>[]) =>
  results.map(({ status }) => status === 'fulfilled');
const failuresOf = (results: readonly PromiseSettledResult<void>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [failureOf(result.reason)] : []));

/** Blocks all inserts until the returned function is called. */
async function holdTable(): Promise<() => Promise<void>> {
  const tx = await db.transaction();
  await tx.raw('lock table pending_events, stalled_events in exclusive mode');
  return async () => void (await tx.rollback());
}

/** Lists the Postgres processes that wait for the table. */
async function waitingPids(): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' order by query_start`,
  );
  return rows.map(({ pid }) => pid);
}

const untilWaiting = (count: number) =>
  expect.poll(waitingPids, { timeout: 10_000 }).toHaveLength(count);

describe('store', () => {
  it('stores a single event by itself, and dispatches it with its tenant', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'known' });
    const event = anEvent({ merchantId: 'known' });
    await intake.store(event);
    expect(groups).toEqual([1]);
    expect(dispatched).toEqual([{ id: event.id, tenantId }]);
    expect(await storedIds()).toEqual([event.id]);
  });

  it('writes at most two groups of 100 at once; later events form the next ones', async () => {
    const release = await holdTable();
    const some = events(450);
    const results = storeAll(some);
    await untilWaiting(2);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(groups).toEqual([100, 100]);
    expect(dispatched).toEqual([]);

    await release();
    expect(outcomesOf(await results)).toEqual(some.map(() => true));
    expect(groups).toEqual([100, 100, 100, 100, 50]);
    expect(mostAtOnce).toBe(2);
    expect(idsOf(dispatched)).toEqual(idsOf(some));
  });

  it('makes smaller groups of large bodies', async () => {
    await storeAll([...events(10, { body: MEBIBYTE }), ...events(50)]);
    expect(groups.slice(0, 2)).toEqual([4, 4]);
    expect(groups.reduce((sum, size) => sum + size)).toBe(60);
  });

  it('stores everything it acknowledged when 2,000 events arrive at once', async () => {
    const some = events(2_000);
    expect(outcomesOf(await storeAll(some))).toEqual(some.map(() => true));
    expect((await storedIds()).sort()).toEqual(idsOf(some));
    expect(idsOf(dispatched)).toEqual(idsOf(some));
    expect(Math.max(...groups)).toBeLessThanOrEqual(100);
    expect(mostAtOnce).toBeLessThanOrEqual(2);
  });

  it('stores bodies byte for byte', async () => {
    const body = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await storeAll([anEvent({ body }), anEvent({ body: Buffer.alloc(0) })]);
    const bodies: Buffer[] = (await eventRows(db)).map((row) => row.body);
    expect(bodies.toSorted(Buffer.compare)).toEqual([Buffer.alloc(0), body]);
  });
});

describe('an event that Postgres cannot store', () => {
  it('fails alone: the others of its group are stored and dispatched', async () => {
    const some = events(5);
    const poison = anEvent({ merchantId: 'M\0' });
    const results = await storeAll([...some.slice(0, 2), poison, ...some.slice(2)]);
    expect(outcomesOf(results)).toEqual([true, true, false, true, true, true]);
    expect((await storedIds()).sort()).toEqual(idsOf(some));
    expect(idsOf(dispatched)).toEqual(idsOf(some));
  });

  it('fails alone when it is stored already', async () => {
    const event = anEvent();
    await intake.store(event);
    const results = await storeAll([anEvent(), event, anEvent()]);
    expect(outcomesOf(results)).toEqual([true, false, true]);
    expect(await storedIds()).toHaveLength(3);
  });
});

describe('while Postgres is unreachable', () => {
  it('rejects all events, so that their provider sends them again', async () => {
    const nowhere = connect(`postgres://127.0.0.1:${await freePort()}/none`, 2, 'loyalty-test');
    try {
      const failures = failuresOf(await storeAll(events(250), intakeOn(nowhere)));
      expect(failures).toHaveLength(250);
      expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([503]));
    } finally {
      await nowhere.destroy();
    }
  });

  // If each were tried by itself, the last one would wait for minutes.
  it('rejects a whole group at once when Postgres never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const hanging = connect(`postgres://127.0.0.1:${port}/none`, 2, 'loyalty-test');
    try {
      const failures = failuresOf(await storeAll(events(50), intakeOn(hanging)));
      expect(failures.map(({ status }) => status)).toEqual(Array(50).fill(503));
    } finally {
      silent.close();
      await hanging.destroy();
    }
  });

  it('rejects the group whose connection broke, and stores later events', async () => {
    const release = await holdTable();
    const some = events(150);
    const results = storeAll(some);
    await untilWaiting(2);
    const [pid] = await waitingPids();
    await db.raw('select pg_terminate_backend(?)', [pid ?? 0]);
    await untilWaiting(1);
    await release();

    const outcomes = outcomesOf(await results);
    const stored = some.filter((_, index) => outcomes[index]);
    expect([50, 100]).toContain(stored.length);
    expect(failuresOf(await results).map(({ status }) => status)).toContain(503);
    expect((await storedIds()).sort()).toEqual(idsOf(stored));
    expect(idsOf(dispatched)).toEqual(idsOf(stored));
    await intake.store(anEvent());
    expect(await storedIds()).toHaveLength(stored.length + 1);
  });
});

describe('waiting events', () => {
  it('503 at once for more than 64 MiB, until some of it is stored', async () => {
    const release = await holdTable();
    const held = storeAll(events(64, { body: MEBIBYTE }));
    await untilWaiting(2);
    const [refused] = failuresOf(await storeAll([anEvent()]));
    expect(refused).toMatchObject({ status: 503, code: 'INTERNAL_ERROR', unexpected: false });
    expect(refused?.headers).toEqual({ 'Retry-After': '5' });

    await release();
    expect(outcomesOf(await held)).toEqual(Array(64).fill(true));
    await intake.store(anEvent());
    expect(await storedIds()).toHaveLength(65);
  });
});
