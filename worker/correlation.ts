import { AsyncLocalStorage } from 'node:async_hooks';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { CORRELATION_HEADER } from '../domain/correlation.ts';

const storage = new AsyncLocalStorage<string>();

/** Runs an activity with the correlation ids of its requests, so that its log lines carry them. */
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

/** The correlation ids of the running activity's requests, separated by commas, if any. */
export function currentCorrelationIds(): string | undefined {
  return storage.getStore();
}

function idsIn(headers: Headers): string | undefined {
  const payload = headers[CORRELATION_HEADER];
  if (payload === undefined) return undefined;
  const ids: unknown = defaultPayloadConverter.fromPayload(payload);
  return Array.isArray(ids) && ids.length > 0 ? ids.join(',') : undefined;
}
