import type { Context, Next } from 'koa';
import helmet from 'koa-helmet';

const none = ["'none'"];
const self = ["'self'"];

const forData = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: none, frameAncestors: none },
  },
});

/** The reference page runs only scripts of its own origin; its library writes inline styles. */
const forDocs = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      scriptSrc: self,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: self,
      frameAncestors: none,
      baseUri: none,
      formAction: none,
    },
  },
});

/** Sets the security headers of every response, and forbids storing it unless its route allows. */
export function secureHeaders(ctx: Context, next: Next): Promise<unknown> {
  ctx.set('Cache-Control', 'no-store');
  // Not by `ctx.path`, which throws for a request without a valid path.
  return /^\/docs(\?|$)/.test(ctx.url) ? forDocs(ctx, next) : forData(ctx, next);
}
