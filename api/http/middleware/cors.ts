import allowOrigins from '@koa/cors';
import type { Context, Next } from 'koa';
import type { ApiSettings } from '../deps.ts';

const PREFLIGHT_MAX_AGE_SECONDS = 600;

const LOOPBACK_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

type CorsSettings = Pick<
  ApiSettings,
  'corsAllowedOrigins' | 'corsAllowsLoopback' | 'oauthBindBrowser'
>;

/**
 * Lets browsers read responses from the allowed origins and from no other. Cookies are allowed only
 * where the OAuth callback needs one.
 */
export function cors({ corsAllowedOrigins, corsAllowsLoopback, oauthBindBrowser }: CorsSettings) {
  const isAllowed = (origin: string) =>
    corsAllowedOrigins.includes(origin) || (corsAllowsLoopback && LOOPBACK_ORIGIN.test(origin));
  const allow = allowOrigins({
    origin: (ctx) => (isAllowed(ctx.get('origin')) ? ctx.get('origin') : ''),
    credentials: oauthBindBrowser,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-Correlation-Id',
      'X-Tenant-Id',
      'Last-Event-ID',
    ],
    exposeHeaders: [
      'X-Correlation-Id',
      'Link',
      'Idempotency-Replayed',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      // By which clients tell a download, which may take long.
      'Content-Disposition',
      // By which apps count down what runs out here.
      'Date',
    ],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // The error envelope is written to the same response, so the headers are kept anyway.
    keepHeadersOnError: false,
  });

  return (ctx: Context, next: Next): Promise<unknown> => {
    // Most requests are of no browser. Their answers differ from a browser's all the same.
    if (ctx.get('origin') === '') {
      ctx.vary('Origin');
      return next();
    }
    return allow(ctx, async () => {
      // Only preflights of other origins get here. They succeed, but allow nothing.
      if (isPreflight(ctx)) ctx.status = 204;
      else await next();
    });
  };
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
}
