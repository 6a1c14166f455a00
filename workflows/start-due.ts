import { setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import { startDetached } from './start-detached.ts';
import type { RunStart } from './starts.ts';

/** What is due of some subjects, and where to go on: null after the last of them. */
type DuePage<Id> = { starts: readonly RunStart[]; next: Id | null };

/** The server allows a run 2,000 open children; what is left is started by the next run. */
const MAX_STARTS = 1_000;

/** Starts the runs that are due, page by page, and returns how many were not under way yet. */
export async function startDue<Id>(
  list: (after: Id | null) => Promise<DuePage<Id>>,
): Promise<{ started: number }> {
  let started = 0;
  for (let after: Id | null = null; ; ) {
    const { starts, next }: DuePage<Id> = await list(after);
    const isNew = await Promise.all(starts.map(startDetached));
    started += isNew.filter((each) => each).length;
    after = next;
    if (after === null || started >= MAX_STARTS) break;
  }
  const text = `${started} runs started`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  return { started };
}
