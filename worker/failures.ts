import { activityInfo, CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { isDatabaseUnreachable } from '../db/errors.ts';
import { Refusal } from '../domain/errors.ts';
import type { ErrorReporter } from '../gateways/telemetry/error-reporter.ts';
import { currentCorrelationIds } from './correlation.ts';

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

/**
 * Reports activity failures that nobody foresaw: at the first attempt, then at the 2nd, the 4th and
 * so on, so that what is tried for hours is not reported as often.
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
        if (!isForeseen(error) && isPowerOfTwo(attempt)) {
          const workflow = workflowExecution?.workflowId ?? 'none';
          const requestId = currentCorrelationIds() ?? 'none';
          reporter.report(error, { activity: activityType, workflow, requestId });
        }
        throw error;
      }
    },
  };
}

function isForeseen(error: unknown): boolean {
  if (error instanceof Refusal || error instanceof TemporalFailure) return true;
  if (error instanceof CompleteAsyncError || isDatabaseUnreachable(error)) return true;
  // What gateways throw says by itself whether it passes.
  if (error instanceof Error && 'isTransient' in error) return true;
  return isAborted(error) || isLostRace(error);
}

/** The worker stops, or the workflow no longer wants it. */
function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Class 40: a deadlock or a lost serialisation, which the next attempt settles. */
function isLostRace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^40...$/.test(String(error.code));
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0;
}
