import type { NativeConnection, Worker } from '@temporalio/worker';
import { type Activities, type ActivityDeps, createActivities } from '../../../activities/index.ts';
import { createPollingWorker, createWorkers } from '../../../worker/worker.ts';

type Place = { connection: NativeConnection; namespace: string };

/** Runs the service's workers until `work` ends. */
export async function runOwnWorkers<T>(
  place: Place & { versioning: boolean },
  deps: ActivityDeps,
  work: () => Promise<T>,
): Promise<T> {
  return runUntil(await workersOf(place, createActivities(deps)), work);
}

export type SharedWorkers = {
  /** Runs `work` while the workers run, which call these activities from now on. */
  run<T>(activities: Activities, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** Creates workers that start with their first use, and then run until they are stopped. */
export function createSharedWorkers(place: Place): SharedWorkers {
  let current: Activities;
  let running: Promise<void> | undefined;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const start = async () => {
    await runUntil(
      await workersOf(
        place,
        exchangeable(() => current),
      ),
      () => over,
    );
  };
  return {
    async run(activities, work) {
      current = activities;
      running ??= start();
      const failed = running.then(() => {
        throw new Error('The workers have stopped.');
      });
      return Promise.race([work(), failed]);
    },
    async stop() {
      end();
      await running;
    },
  };
}

/** Activities that look up what they do at each call. */
function exchangeable(current: () => Activities): Activities {
  const activities = { ...current() };
  for (const name of Object.keys(activities)) {
    const call = (...args: unknown[]) =>
      Reflect.apply(Reflect.get(current(), name), undefined, args);
    Reflect.set(activities, name, call);
  }
  return activities;
}

async function workersOf(
  { versioning = false, ...place }: Place & { versioning?: boolean },
  activities: Activities,
): Promise<Worker[]> {
  const options = {
    ...place,
    activities,
    reporter: { report: () => undefined },
    workflowSlots: 20,
    activitySlots: 10,
    pollers: 2,
    cachedWorkflows: 50,
    graceSeconds: 5,
    versioning,
  };
  return [
    ...(await createWorkers(options)),
    await createPollingWorker(options, { slots: 4, perSecond: 100 }),
  ];
}

function runUntil<T>(workers: readonly Worker[], work: () => Promise<T>): Promise<T> {
  return workers.reduce<() => Promise<T>>((run, worker) => () => worker.runUntil(run), work)();
}
