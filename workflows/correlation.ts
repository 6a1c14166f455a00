import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import {
  ContinueAsNew,
  proxySinks,
  type Sinks,
  type WorkflowInterceptors,
  workflowInfo,
} from '@temporalio/workflow';
import { CORRELATION_HEADER } from '../domain/correlation.ts';
import {
  type EndedRun,
  formatTraceparent,
  parseTraceparent,
  spanIdOfRun,
  TRACE_HEADER,
} from '../domain/trace-context.ts';

/** What the worker does with the traces of its runs. */
export type TraceSinks = Sinks & { traces: { runEnded(run: EndedRun): void } };

/**
 * Passes the correlation ids of a run, and its span if it is traced, on to its activities and to
 * the runs that it starts.
 */
export function interceptors(): WorkflowInterceptors {
  let passedOn: Headers = {};
  const withIds = <Input extends { readonly headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...passedOn },
  });
  return {
    inbound: [
      {
        execute(input, next) {
          const ids = input.headers[CORRELATION_HEADER];
          if (ids !== undefined) passedOn = { [CORRELATION_HEADER]: ids };
          const startedBy = textIn(input.headers[TRACE_HEADER]);
          const parent = parseTraceparent(startedBy);
          if (parent === undefined) return next(input);
          const spanId = spanIdOfRun(workflowInfo().runId);
          const own = formatTraceparent({ ...parent, spanId });
          passedOn = { ...passedOn, [TRACE_HEADER]: defaultPayloadConverter.toPayload(own) };
          return recorded(() => next(input), { startedBy, correlationIds: textsIn(ids) });
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withIds(input)),
        scheduleLocalActivity: (input, next) => next(withIds(input)),
        startChildWorkflowExecution: (input, next) => next(withIds(input)),
        continueAsNew: (input, next) => next(withIds(input)),
      },
    ],
  };
}

/** Tells the worker when a run has ended. A replay tells nothing. */
async function recorded(
  work: () => Promise<unknown>,
  run: Pick<EndedRun, 'startedBy' | 'correlationIds'>,
): Promise<unknown> {
  const { traces } = proxySinks<TraceSinks>();
  const startedAt = Date.now();
  const end = (hasFailed: boolean) =>
    traces.runEnded({ ...run, startedAt, endedAt: Date.now(), hasFailed });
  try {
    const result = await work();
    end(false);
    return result;
  } catch (error) {
    end(!(error instanceof ContinueAsNew));
    throw error;
  }
}

function valueIn(payload: Headers[string] | undefined): unknown {
  return payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
}

function textIn(payload: Headers[string] | undefined): string {
  const value = valueIn(payload);
  return typeof value === 'string' ? value : '';
}

function textsIn(payload: Headers[string] | undefined): string[] {
  const value = valueIn(payload);
  return Array.isArray(value) ? value.map(String) : [];
}
