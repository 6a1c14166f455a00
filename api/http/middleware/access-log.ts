import type { Context, Next } from 'koa';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import { correlationIdOf } from './correlation-id.ts';

/** Logs one line per request: method, route pattern, status and milliseconds, never contents. */
export function accessLog(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    log.info(
      {
        event: 'request_served',
        correlationId: correlationIdOf(ctx),
        method: ctx.method,
        route: ctx.state.route ?? 'none',
        status: ctx.status,
        ms: Math.round((performance.now() - start) * 10) / 10,
      },
      'Request served',
    );
  };
}
