import type { Context, Next } from 'koa';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import { envelopeOf, failureOf } from '../errors.ts';
import { correlationIdOf } from './correlation-id.ts';

/** Tells the error-reporting system of an error that nobody foresaw. Must not throw. */
export type ReportError = (error: unknown, context: { correlationId: string }) => void;

/**
 * Turns whatever is thrown into the envelope of spec 7. An unexpected error is logged with its
 * stack and reported; the caller learns no more of it than the id to ask about.
 */
export function errorEnvelope(log: Logger, report: ReportError) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const failure = failureOf(error);
      const { status, message, headers, unexpected } = failure;
      const requestId = correlationIdOf(ctx);
      if (status >= 500) log.error({ err: error, correlationId: requestId }, message);
      if (unexpected) report(error, { correlationId: requestId });

      ctx.status = status;
      ctx.set(headers);
      ctx.body = envelopeOf(failure, requestId);
    }
  };
}
