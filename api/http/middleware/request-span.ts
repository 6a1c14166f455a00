import type { Context, Next } from 'koa';
import { CORRELATION_IDS, inSpan } from '../../../gateways/telemetry/spans.ts';
import { correlationIdOf } from './correlation-id.ts';

/**
 * Serves the request within a span, which goes on with the caller's trace if it sent one. It knows
 * the route, the status, and the ids of user and tenant, and nothing of the contents. Health checks
 * come every few seconds, and are not traced.
 */
export function requestSpan(ctx: Context, next: Next): Promise<void> {
  const { method } = ctx;
  // Not by `ctx.path`, which throws for a request without a valid path.
  if (ctx.url.startsWith('/health')) return next();
  const attributes = { 'http.request.method': method };
  const options = { kind: 'server', attributes, causes: [ctx.get('traceparent')] } as const;
  return inSpan(method, options, async (span) => {
    await next();
    const { route, userId, tenantId } = ctx.state;
    if (route !== undefined) span.rename(`${method} ${route}`);
    span.add({
      [CORRELATION_IDS]: [correlationIdOf(ctx)],
      'http.route': route,
      'http.response.status_code': ctx.status,
      'user.id': userId,
      'loyalty.tenant_id': tenantId,
    });
    if (ctx.status >= 500) span.fail();
  });
}
