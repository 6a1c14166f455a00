import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Headers, type Payload } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { CORRELATION_HEADER } from '../domain/correlation.ts';
import { TRACE_HEADER } from '../domain/trace-context.ts';
import { CORRELATION_IDS, inSpan, type SpanOptions } from '../gateways/telemetry/spans.ts';

const storage = new AsyncLocalStorage<string>();

/**
 * Runs an activity with the correlation ids of its requests, so that its log lines carry them, and
 * within a span of its own.
 */
export function correlation(activity: Context): ActivityInterceptors {
  let ids: string | undefined;
  return {
    inbound: {
      execute(input, next) {
        const found = textsIn(input.headers[CORRELATION_HEADER]);
        if (found.length > 0) ids = found.join(',');
        const span = spanOptions(activity, input.headers, found);
        const run = () =>
          inSpan(`RunActivity:${activity.info.activityType}`, span, () => next(input));
        return ids === undefined ? run() : storage.run(ids, run);
      },
    },
    outbound: {
      getLogAttributes: (input, next) =>
        next(ids === undefined ? input : { ...input, correlationId: ids }),
    },
  };
}

/** The correlation ids of the running activity's requests, separated by commas, if any. */
export function currentCorrelationIds(): string | undefined {
  return storage.getStore();
}

function spanOptions({ info }: Context, headers: Headers, correlationIds: string[]): SpanOptions {
  const { workflowId, runId } = info.workflowExecution ?? {};
  return {
    kind: 'consumer',
    causes: textsIn(headers[TRACE_HEADER]),
    attributes: {
      temporalWorkflowID: workflowId,
      temporalRunID: runId,
      'temporal.attempt': info.attempt,
      [CORRELATION_IDS]: correlationIds,
    },
  };
}

/** The texts of a header, which has one or a list of them. */
function textsIn(payload: Payload | undefined): string[] {
  if (payload === undefined) return [];
  const value: unknown = defaultPayloadConverter.fromPayload(payload);
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
