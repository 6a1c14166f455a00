import { createIngestionActivities, type IngestionDeps } from './ingestion.ts';

export type ActivityDeps = IngestionDeps;

/** Every activity by the name under which workflows call it. */
export function createActivities(deps: ActivityDeps) {
  return { ...createIngestionActivities(deps) };
}

export type Activities = ReturnType<typeof createActivities>;
export type { CreditResult, PendingBatch } from './ingestion.ts';
