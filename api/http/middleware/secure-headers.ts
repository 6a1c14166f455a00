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

/** The reference page runs its own script only; its library writes styles into the page. */
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

/** Sets the secure headers of every response, and that none is stored unless its route says so. */
export function secureHeaders(ctx: Context, next: Next): Promise<unknown> {
  ctx.set('Cache-Control', 'no-store');
  // Not by its path, which not every request has.
  return /^\/docs(\?|$)/.test(ctx.url) ? forDocs(ctx, next) : forData(ctx, next);
}
