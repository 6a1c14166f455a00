import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, expect, it } from 'vitest';
import {
  type DueWorker,
  doWork,
  type Outcome,
  tasksOf,
} from '../../../activities/due-work/worker.ts';
import { continues } from '../../../activities/progress.ts';
import { connect } from '../../../db/connection.ts';
import * as dueWork from '../../../db/due-work.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const logged: { subjectId: string; event: string }[] = [];
const log = createLogger(
  { level: 'error', service: 'test' },
  { write: (line) => logged.push(JSON.parse(line)) },
);
beforeEach(() => db('due_work').delete());

/** A kind whose subjects are these, and end as `run` says. */
function aWorker(
  ids: readonly ConnectionId[],
  run: (id: ConnectionId) => Promise<Outcome>,
): DueWorker<'read_account'> {
  return {
    kind: 'read_account',
    batch: 3,
    atOnce: 2,
    backOff: { firstSeconds: 60, longestSeconds: 60 },
    prepare: async (items) =>
      tasksOf(
        items,
        async () => ids.map((id) => ({ id })),
        ({ id }) => run(id),
      ),
  };
}
const someIds = (count: number) =>
  Array.from({ length: count }, () => ConnectionId.parse(randomUUID()));
const left = () => db('due_work').orderBy('subjectId').pluck('subject_id');

it('does all that is due, batch by batch, and forgets what is gone', async () => {
  const ids = someIds(7);
  await dueWork.note(db, 'read_account', [...ids, ...someIds(1)]);
  const done: string[] = [];
  const worker = aWorker(ids, async (id) => {
    done.push(id);
    return 'done';
  });
  expect(await doWork({ db, log }, worker)).toBe(7);
  expect(done.sort()).toEqual([...ids].sort());
  expect(await left()).toEqual([]);
});

it('a failure holds up no other: it is logged and tried again later', async () => {
  const [bad, waits, good] = someIds(3);
  const ids = [bad, waits, good].flatMap((id) => id ?? []);
  await dueWork.note(db, 'read_account', ids);
  const worker = aWorker(ids, async (id) => {
    if (id === bad) throw new Error('It is refused.');
    return id === waits ? 'later' : 'done';
  });
  expect(await doWork({ db, log }, worker)).toBe(1);
  expect(await left()).toEqual([bad, waits].sort());
  expect(logged.map(({ event, subjectId }) => ({ event, subjectId }))).toEqual([
    { event: 'due_work_failed', subjectId: bad },
  ]);
  expect(await doWork({ db, log }, worker)).toBe(0);
});

it('what has more to do has its next turn after the others', async () => {
  const ids = someIds(2);
  await dueWork.note(db, 'read_account', ids);
  const turns: string[] = [];
  const worker = aWorker(ids, async (id) => {
    turns.push(id);
    return turns.length === 1 ? 'again' : 'done';
  });
  expect(await doWork({ db, log }, worker)).toBe(1);
  expect(await doWork({ db, log }, worker)).toBe(1);
  expect(turns[2]).toBe(turns[0]);
});

it('each item is worked on by one of several calls at once', async () => {
  const ids = someIds(20);
  await dueWork.note(db, 'read_account', ids);
  const done: string[] = [];
  const worker = aWorker(ids, async (id) => {
    done.push(id);
    return 'done';
  });
  await Promise.all(Array.from({ length: 4 }, () => doWork({ db, log }, worker)));
  expect(done.sort()).toEqual([...ids].sort());
});

it('what must not go on, since the worker is stopping, has not failed', async () => {
  const [id] = someIds(1);
  await dueWork.note(db, 'read_account', [required(id)]);
  logged.length = 0;
  const environment = new MockActivityEnvironment();
  const worker = aWorker([required(id)], async () => {
    environment.cancel('WORKER_SHUTDOWN');
    continues();
    return 'done';
  });
  const working = environment.run(() => doWork({ db, log }, worker));
  await expect(working).rejects.toThrow('WORKER_SHUTDOWN');
  expect(logged).toEqual([]);
  expect(await db('due_work').where('dueAt', '>', db.fn.now())).toEqual([]);
});

it('throws while Postgres is away', async () => {
  const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
  await expect(
    doWork(
      { db: nowhere, log },
      aWorker([], async () => 'done'),
    ),
  ).rejects.toThrow();
  await nowhere.destroy();
});
