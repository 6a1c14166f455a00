import allowOrigins from '@koa/cors';
import type { Context, Next } from 'koa';

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Lets browsers read responses from the listed origins and from no other. */
export function cors(origins: readonly string[]) {
  const allow = allowOrigins({
    origin: (ctx) => (origins.includes(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Correlation-Id'],
    exposeHeaders: [
      'X-Correlation-Id',
      'Link',
      'Idempotency-Replayed',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
    ],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // The error envelope is written to the same response, so the headers are kept anyway.
    keepHeadersOnError: false,
  });

  return (ctx: Context, next: Next): Promise<unknown> =>
    allow(ctx, async () => {
      // Only preflights of other origins get here. They succeed, but allow nothing.
      if (isPreflight(ctx)) ctx.status = 204;
      else await next();
    });
}

function isPreflight(ctx: Context): boolean {
  return (
    ctx.method === 'OPTIONS' &&
    ctx.get('Origin') !== '' &&
    ctx.get('Access-Control-Request-Method') !== ''
  );
}
