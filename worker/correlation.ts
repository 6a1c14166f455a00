import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { CORRELATION_HEADER } from '../domain/correlation.ts';

const storage = new AsyncLocalStorage<string>();

/** Runs an activity under the ids of the requests it serves, for every log line written by it. */
export function correlation(): ActivityInterceptors {
  let ids: string | undefined;
  return {
    inbound: {
      execute(input, next) {
        ids = idsIn(input.headers);
        return ids === undefined ? next(input) : storage.run(ids, () => next(input));
      },
    },
    outbound: {
      getLogAttributes: (input, next) =>
        next(ids === undefined ? input : { ...input, correlationId: ids }),
    },
  };
}

/** The ids of the requests that the running activity serves, separated by commas, if any. */
export function currentCorrelationIds(): string | undefined {
  return storage.getStore();
}

function idsIn(headers: Headers): string | undefined {
  const payload = headers[CORRELATION_HEADER];
  if (payload === undefined) return undefined;
  const ids: unknown = defaultPayloadConverter.fromPayload(payload);
  return Array.isArray(ids) && ids.length > 0 ? ids.join(',') : undefined;
}
