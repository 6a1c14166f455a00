import { setCurrentDetails, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { startDetached } from './start-detached.ts';
import type { RunStart } from './starts.ts';

/** What is due of some subjects, and where to go on: null after the last of them. */
type DuePage<Id> = { starts: readonly RunStart[]; next: Id | null };

/** How many runs were not under way yet; the next run begins at `next`, if there is one. */
export type StartedDue<Id> = { started: number; next?: Id };

/** The server allows a run 2,000 open children; what is left is started by the next run. */
const MAX_STARTS = 1_000;

/**
 * Starts the runs that are due, page by page. It begins where the last run of its Schedule stopped:
 * what is due again and again, since it never succeeds, must not be all that is ever started.
 */
export async function startDue<Id>(
  list: (after: Id | null) => Promise<DuePage<Id>>,
): Promise<StartedDue<Id>> {
  const { lastResult } = workflowInfo();
  let after: Id | null = hasNext<Id>(lastResult) ? lastResult.next : null;
  let started = 0;
  let begun = 0;
  do {
    const { starts, next }: DuePage<Id> = await list(after);
    const isNew = await Promise.all(starts.map(startDetached));
    started += isNew.filter((each) => each).length;
    begun += starts.length;
    after = next;
  } while (after !== null && begun < MAX_STARTS);
  const text = `${started} runs started`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return after === null ? { started } : { started, next: after };
}

/** Whether the last run of the Schedule has stopped before the end. */
function hasNext<Id>(result: unknown): result is { next: Id } {
  return typeof result === 'object' && result !== null && 'next' in result;
}
