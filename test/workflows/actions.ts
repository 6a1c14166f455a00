import { readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect } from 'vitest';

type Event = NonNullable<ReturnType<typeof historyFromJSON>['events']>[number];

/** The page that says what a run costs. */
export const COSTS = readFileSync(new URL('../../docs/temporal-cloud.md', import.meta.url), 'utf8');

/** The number in a row of the page's table. */
export function documentedActions(row: string): number {
  const line = COSTS.split('\n').find((each) => each.startsWith(`| ${row} |`));
  return Number(/^\| [^|]+ \| (\d+)/.exec(line ?? '')?.[1]);
}

/** Holds the page to a run: the row must say what the run of this history costs. */
export function expectDocumentedActions(row: string, history: string): void {
  const isScheduled = /, with its (Schedule|tick)$/.test(row);
  const events = historyFromJSON(JSON.parse(history)).events ?? [];
  expect({ [row]: documentedActions(row) }).toEqual({ [row]: countActions(events, isScheduled) });
}

/**
 * Two more than its run for what a Schedule starts, as a hosted Temporal counts; and for what a
 * tick does, which is a timer and a child.
 */
const OF_A_SCHEDULE = 2;

/**
 * Counts what a hosted Temporal charges for a run (https://docs.temporal.io/cloud/actions): its
 * start, each attempt of an activity, the local activities of a task together, timers, signals,
 * updates, changed search attributes, and children, once where they are started and once as runs.
 * Heartbeats are not in a history.
 */
export function countActions(events: readonly Event[], isScheduled = false): number {
  const local = new Set<string>();
  let actions = isScheduled ? OF_A_SCHEDULE : 0;
  for (const event of events) {
    const marker = event.markerRecordedEventAttributes;
    if (marker?.markerName === 'core_local_activity') {
      local.add(String(marker.workflowTaskCompletedEventId));
    }
    actions += event.activityTaskStartedEventAttributes?.attempt ?? 0;
    if (ONE_EACH.some((name) => event[name] != null)) actions += 1;
  }
  const startsWithSignal = events[1]?.workflowExecutionSignaledEventAttributes != null;
  return actions + local.size - (startsWithSignal ? 1 : 0);
}

const ONE_EACH = [
  'workflowExecutionStartedEventAttributes',
  'timerStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
] as const satisfies readonly (keyof Event)[];
