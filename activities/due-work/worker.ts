import type { Db } from '../../db/connection.ts';
import type { BackOff, DueItem, DueKind } from '../../db/due-work.ts';
import * as dueWork from '../../db/due-work.ts';
import { isDatabaseUnreachable } from '../../db/errors.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { inParallel } from '../concurrency.ts';
import { continues } from '../progress.ts';

/** How a piece of work ended: `again` when there is more to do, `later` when it has to wait. */
export type Outcome = 'done' | 'again' | 'later';

/** What is to be done about an item. It may run any number of times, also at once. */
export type Task<Kind extends DueKind> = {
  item: DueItem<Kind>;
  /** Ends soon after `until`, a time of `performance.now`. What it throws is logged: `later`. */
  run(until: number): Promise<Outcome>;
};

/** How the work of one kind is done. */
export type DueWorker<Kind extends DueKind = DueKind> = {
  kind: Kind;
  /** How many items are taken together, and how many of them are worked on at the same time. */
  batch: number;
  atOnce: number;
  backOff: BackOff;
  /** Returns the tasks of those items for which there is anything to do. */
  prepare(items: readonly DueItem<Kind>[]): Promise<Task<Kind>[]>;
};

/** An activity ends well within its time; what is left is the next one's. */
const BUDGET_MS = 15_000;

/**
 * Does the work of one kind that is due, for some seconds, and returns how much was done. Work that
 * fails is logged and put off, and holds up no other. Throws only when the database is away, or
 * when the work cannot be prepared.
 */
export async function doWork<Kind extends DueKind>(
  { db, log }: { db: Db; log: Pick<Logger, 'error'> },
  worker: DueWorker<Kind>,
): Promise<number> {
  const { kind, batch, atOnce, backOff } = worker;
  const until = performance.now() + BUDGET_MS;
  let done = 0;
  for (;;) {
    continues();
    const items = await dueWork.take(db, kind, batch);
    const tasks = items.length === 0 ? [] : await worker.prepare(items);
    const open = new Set(tasks.map(({ item }) => item));
    await dueWork.finish(
      db,
      kind,
      items.filter((item) => !open.has(item)),
    );
    await inParallel(tasks, atOnce, async (task) => {
      continues();
      const { item } = task;
      const isOver = performance.now() > until;
      const outcome = isOver ? 'again' : await outcomeOf({ log, kind }, task, until);
      if (outcome === 'again') return dueWork.giveBack(db, kind, [item]);
      if (outcome === 'later') return dueWork.putOff(db, kind, { item, backOff });
      await dueWork.finish(db, kind, [item]);
      done += 1;
    });
    if (items.length < batch || performance.now() > until) return done;
  }
}

/** Makes a task of each item whose subject is found. */
export async function tasksOf<Kind extends DueKind, Subject extends { id: string }>(
  items: readonly DueItem<Kind>[],
  find: (ids: DueItem<Kind>['id'][]) => Promise<readonly Subject[]>,
  run: (subject: Subject, until: number) => Promise<Outcome>,
): Promise<Task<Kind>[]> {
  const subjects = await find(items.map(({ id }) => id));
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  return items.flatMap((item) => {
    const subject = byId.get(item.id);
    return subject === undefined ? [] : { item, run: (until) => run(subject, until) };
  });
}

async function outcomeOf<Kind extends DueKind>(
  { log, kind }: { log: Pick<Logger, 'error'>; kind: Kind },
  { item, run }: Task<Kind>,
  until: number,
): Promise<Outcome> {
  try {
    return await run(until);
  } catch (err) {
    if (isDatabaseUnreachable(err)) throw err;
    // It may also be that the activity must not go on, which is no failure of the work.
    continues();
    const message = 'Due work failed and is tried again later';
    log.error({ event: 'due_work_failed', kind, subjectId: item.id, err }, message);
    return 'later';
  }
}
