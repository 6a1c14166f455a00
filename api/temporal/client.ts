import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { CORRELATION_HEADER } from '../../domain/correlation.ts';
import { TRACE_HEADER } from '../../domain/trace-context.ts';
import { currentTraceparent } from '../../gateways/telemetry/spans.ts';

/**
 * Creates a client that sends the `correlationIds` of a run's memo in a header as well: the memo is
 * for people, and the header is passed on to each step of the run. So is the open span, if any.
 */
export function createClient(connection: NativeConnection, namespace: string): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [correlated] } });
}

const correlated: WorkflowClientInterceptor = {
  startWithDetails(input, next) {
    const headers = { ...input.headers, ...headersFor(input.options.memo) };
    return next({ ...input, headers });
  },
  signalWithStart(input, next) {
    const headers = { ...input.headers, ...headersFor(input.options.memo) };
    return next({ ...input, headers });
  },
  startUpdateWithStart(input, next) {
    const added = headersFor(input.workflowStartOptions.memo);
    return next({ ...input, workflowStartHeaders: { ...input.workflowStartHeaders, ...added } });
  },
};

function headersFor(memo: Readonly<Record<string, unknown>> | undefined): Headers {
  const headers: Headers = {};
  const add = (name: string, value: unknown) => {
    headers[name] = defaultPayloadConverter.toPayload(value);
  };
  const ids = memo?.correlationIds;
  if (Array.isArray(ids)) add(CORRELATION_HEADER, ids);
  const traceparent = currentTraceparent();
  if (traceparent !== undefined) add(TRACE_HEADER, traceparent);
  return headers;
}
