import type { Db } from '../connection.ts';
import { type Watched, watchSession } from './session-watch.ts';

const EVERY_MS = 500;

/** What Postgres says about an index that it builds, or a table that it analyses. */
export type MigrationWork = { phase: string; unit: 'blocks' | 'rows'; done: number; total: number };

/** What a migration of the schema does at the moment. */
export type MigrationStep = {
  name: string;
  /** Which of all migrations it is, from 1. */
  nth: number;
  of: number;
  /** Undefined while Postgres reports nothing. */
  work?: MigrationWork | undefined;
};

export type StepWatch = {
  begin(step: MigrationStep): void;
  stop(): Promise<void>;
};

/** Tells twice a second, from outside, what a session that migrates is doing; until `stop`. */
export async function watchSteps(
  watched: Watched,
  onStep: ((step: MigrationStep) => void) | undefined,
): Promise<StepWatch> {
  if (onStep === undefined) return { begin: () => undefined, stop: async () => undefined };
  let current: MigrationStep | undefined;
  const stop = await watchSession(watched, EVERY_MS, async (db, pid) => {
    const step = current;
    const work = await workOf(db, pid);
    if (step !== undefined) onStep({ ...step, work });
  });
  return {
    begin(step) {
      current = step;
      onStep(step);
    },
    stop,
  };
}

async function workOf(db: Db, pid: number): Promise<MigrationWork | undefined> {
  const { rows } = await db.raw<{ rows: MigrationWork[] }>(
    `select phase, case when blocks_total > 0 then 'blocks' else 'rows' end as unit,
       case when blocks_total > 0 then blocks_done else tuples_done end::float8 as done,
       case when blocks_total > 0 then blocks_total else tuples_total end::float8 as total
     from pg_stat_progress_create_index where pid = :pid
     union all
     select phase, 'blocks', sample_blks_scanned, sample_blks_total
     from pg_stat_progress_analyze where pid = :pid`,
    { pid },
  );
  return rows[0];
}
