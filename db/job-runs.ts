import type { Db } from './connection.ts';

// When periodic jobs last ran to their end, so that workers can tell that one has stopped.

/** A job that is watched by when it last completed. */
export type Job = 'maintain' | 'statements';

/** Expects a job from now on, if it has never completed. A second call changes nothing. */
export async function expectFromNow(db: Db, job: Job): Promise<void> {
  await db.raw(
    `insert into job_runs (job, completed_at) values (:job, now())
     on conflict (job) do nothing`,
    { job },
  );
}

/** Records that a job has just completed. */
export async function recordCompleted(db: Db, job: Job): Promise<void> {
  await db.raw(
    `insert into job_runs (job, completed_at) values (:job, now())
     on conflict (job) do update set completed_at = excluded.completed_at`,
    { job },
  );
}
