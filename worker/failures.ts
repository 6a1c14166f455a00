import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { Refusal } from '../domain/errors.ts';

/** A refusal is an answer, not a fault: trying again would only get it again. */
export const refusalsAreFinal: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      if (error instanceof Refusal)
        throw ApplicationFailure.nonRetryable(error.message, error.code);
      throw error;
    }
  },
};
