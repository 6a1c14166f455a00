import type { Context, Next } from 'koa';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import { correlationIdOf, requestIdOf } from './correlation-id.ts';

/**
 * Logs one line per request: who, method, route pattern, status and milliseconds, never contents.
 * Users and tenants are named by their ids only; of an administrator's request, the path with its
 * ids says whom it was about.
 */
export function accessLog(log: Logger) {
  // To look for secrets took longer than all else about a line, and none of its fields can be one.
  const lines = log.child({}, { redact: [] });
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    lines.info(
      {
        event: 'request_served',
        correlationId: correlationIdOf(ctx),
        requestId: requestIdOf(ctx),
        userId: ctx.state.userId,
        tenantId: ctx.state.tenantId,
        method: ctx.method,
        route: ctx.state.route ?? 'none',
        path: ctx.state.path,
        status: ctx.status,
        ms: Math.round((performance.now() - start) * 10) / 10,
      },
      'Request served',
    );
  };
}
