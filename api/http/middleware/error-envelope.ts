import type { Context, Next } from 'koa';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import { envelopeOf, failureOf } from '../replies/errors.ts';
import { correlationIdOf } from './correlation-id.ts';

/** Sends an unexpected error to the error-reporting system. Must not throw. */
export type ReportError = (error: unknown, context: { correlationId: string }) => void;

/**
 * Turns every thrown error into the error envelope. An unexpected error is logged with its stack
 * and reported; the caller learns only the id to ask about.
 */
export function errorEnvelope(log: Logger, report: ReportError) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const failure = failureOf(error);
      const { status, message, headers, unexpected } = failure;
      const requestId = correlationIdOf(ctx);
      if (status >= 500) {
        log.error({ event: 'request_failed', err: error, correlationId: requestId }, message);
      }
      if (unexpected) report(error, { correlationId: requestId });

      ctx.status = status;
      ctx.set(headers);
      ctx.body = envelopeOf(failure, requestId);
    }
  };
}
