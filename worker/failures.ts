import { activityInfo, CompleteAsyncError } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  TemporalFailure,
} from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { safeErrorText } from '../activities/safe-error-text.ts';
import { TooSoon } from '../activities/too-soon.ts';
import { isDatabaseUnreachable } from '../db/errors.ts';
import { Refusal } from '../domain/errors.ts';
import type { ErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import { currentCorrelationIds } from './correlation.ts';

/** Fails an activity for good on a refusal: a retry would be refused again. */
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

/** Has an activity that has to wait tried again after that time, which is not logged or counted. */
export const waitsAreNoFailures: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      if (!(error instanceof TooSoon)) throw error;
      throw ApplicationFailure.create({
        message: error.message,
        type: error.name,
        nextRetryDelay: error.waitMs,
        category: ApplicationFailureCategory.BENIGN,
      });
    }
  },
};

/**
 * Keeps what an activity failed with free of a value that Postgres quotes, since the failure is
 * stored in the history of its run. Wrap it around all others, which need the error as it was.
 */
export const quotedValuesAreRemoved: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (error) {
      if (!quotesValue(error)) throw error;
      const failure = ApplicationFailure.retryable(safeErrorText(error), error.name);
      failure.stack = error.stack?.replace(error.message, failure.message) ?? failure.message;
      throw failure;
    }
  },
};

/** Errors of class 22 are about a value, and their message may contain it. */
function quotesValue(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^22[0-9A-Z]{3}$/.test(String(error.code));
}

/**
 * Reports unexpected failures of activities at the 1st, 2nd, 4th, 8th attempt and so on, so that an
 * activity that is retried for hours is not reported each time.
 */
export function bugsAreReported(
  reporter: Pick<ErrorReporter, 'report'>,
): ActivityInboundCallsInterceptor {
  return {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const { attempt, activityType, workflowExecution } = activityInfo();
        if (!isExpected(error) && isPowerOfTwo(attempt)) {
          const workflow = workflowExecution?.workflowId ?? 'none';
          const requestId = currentCorrelationIds() ?? 'none';
          reporter.report(error, { activity: activityType, workflow, requestId });
        }
        throw error;
      }
    },
  };
}

function isExpected(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof TemporalFailure) return true;
  if (error instanceof TooSoon) return true;
  if (error instanceof CompleteAsyncError || isDatabaseUnreachable(error)) return true;
  // Errors of gateways say themselves whether they are transient.
  if (error instanceof Error && 'isTransient' in error) return true;
  return isAborted(error) || isLostRace(error);
}

/** The worker is stopping, or the workflow has cancelled the activity. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Class 40 is a deadlock or a serialization failure, which the next attempt resolves. */
function isLostRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^40...$/.test(String(error.code));
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0;
}
