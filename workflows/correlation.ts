import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { CORRELATION_HEADER } from '../domain/correlation.ts';

/** Passes the correlation ids of a run on to its activities and to the runs that it starts. */
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
          return next(input);
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
