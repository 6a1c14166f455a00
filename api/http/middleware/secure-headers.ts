import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Context, Next } from 'koa';

type Directives = Record<string, string[]>;
type Headers = readonly (readonly [name: string, value: string])[];

const none = ["'none'"];
const self = ["'self'"];

const forData = headersWith({ defaultSrc: none, frameAncestors: none });

/** The reference page runs only scripts of its own origin; its library writes inline styles. */
const forDocs = headersWith({
  defaultSrc: none,
  scriptSrc: self,
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: self,
  frameAncestors: none,
  baseUri: none,
  formAction: none,
});

/** Sets the security headers of every response, and forbids storing it unless its route allows. */
export function secureHeaders(ctx: Context, next: Next): Promise<unknown> {
  // Not by `ctx.path`, which throws for a request without a valid path.
  const headers = /^\/docs(\?|$)/.test(ctx.url) ? forDocs : forData;
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
  return next();
}

/** Helmet's headers depend on no request, so they are computed once. */
function headersWith(directives: Directives): Headers {
  const headers = new Map([['Cache-Control', 'no-store']]);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.set(name, String(value));
    return response;
  };
  const setHeaders = helmet({ contentSecurityPolicy: { useDefaults: false, directives } });
  setHeaders(response.req, response, () => undefined);
  return [...headers];
}
