import type { InjectedSinks } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { EndedRun } from '../domain/trace-context.ts';
import type { Tracing } from '../gateways/telemetry/tracing.ts';
import type { TraceSinks } from '../workflows/correlation.ts';

/**
 * Returns what the workflows tell when a traced run has ended. Who replays runs needs it as well,
 * without a recorder: the SDK complains of what it cannot tell anyone.
 */
export function traceSinks(tracing?: Pick<Tracing, 'runEnded'>): InjectedSinks<TraceSinks> {
  const runEnded = (info: WorkflowInfo, run: EndedRun) => tracing?.runEnded({ ...run, ...info });
  return { traces: { runEnded: { fn: runEnded } } };
}
