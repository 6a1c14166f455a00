import { Client, type WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { NativeConnection } from '@temporalio/worker';
import { CORRELATION_HEADER } from '../domain/correlation.ts';

/**
 * A client that starts runs with the `correlationIds` of their memo in a header as well: a person
 * reads the memo, and the header goes along to every step that the run takes.
 */
export function clientOf(connection: NativeConnection, namespace: string): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [correlated] } });
}

const correlated: WorkflowClientInterceptor = {
  startWithDetails(input, next) {
    const ids = input.options.memo?.correlationIds;
    if (!Array.isArray(ids)) return next(input);
    const payload = defaultPayloadConverter.toPayload(ids);
    return next({ ...input, headers: { ...input.headers, [CORRELATION_HEADER]: payload } });
  },
};
