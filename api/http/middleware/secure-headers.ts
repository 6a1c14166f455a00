import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import type { Context, Next } from 'koa';
import type { ApiSettings } from '../deps.ts';

type Directives = Record<string, string[]>;
type Headers = readonly (readonly [name: string, value: string])[];

const none = ["'none'"];
const self = ["'self'"];

const forData = headersWith({ defaultSrc: none, frameAncestors: none });

/** A page of text with a style sheet, and a search. */
const forPages = headersWith({
  defaultSrc: none,
  scriptSrc: self,
  styleSrc: self,
  imgSrc: ["'self'", 'data:'],
  frameAncestors: none,
  baseUri: none,
  formAction: none,
});

/**
 * The page that sends requests runs only scripts of its own origin; its library writes inline
 * styles. To sign in, it asks the identity provider for a token.
 */
function forTrying({ docsClientId, oidcIssuer }: DocsSettings): Headers {
  const issuer = docsClientId === undefined ? [] : [new URL(oidcIssuer).origin];
  return headersWith(
    {
      defaultSrc: none,
      scriptSrc: self,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", ...issuer],
      frameAncestors: none,
      baseUri: none,
      formAction: none,
    },
    // It watches the window in which its reader signs in.
    { crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' } },
  );
}

/** The page that such a window ends at has to stay in the reach of the page that opened it. */
const forSignedIn = headersWith(
  { defaultSrc: none, imgSrc: ['data:'], frameAncestors: none },
  { crossOriginOpenerPolicy: { policy: 'unsafe-none' } },
);

type DocsSettings = Pick<ApiSettings, 'docsClientId' | 'oidcIssuer'>;

/** Sets the security headers of every response, and forbids storing it unless its route allows. */
export function secureHeaders(settings: DocsSettings) {
  const ofPages = new Map([
    ['/docs', forPages],
    ['/docs/try', forTrying(settings)],
    ['/docs/build-an-app', forPages],
    ['/docs/signed-in', forSignedIn],
  ]);
  return (ctx: Context, next: Next): Promise<unknown> => {
    // Not by `ctx.path`, which throws for a request without a valid path.
    const [path = ''] = ctx.url.split('?', 1);
    for (const [name, value] of ofPages.get(path) ?? forData) ctx.res.setHeader(name, value);
    return next();
  };
}

/** Helmet's headers depend on no request, so they are computed once. */
function headersWith(directives: Directives, others: HelmetOptions = {}): Headers {
  const headers = new Map([['Cache-Control', 'no-store']]);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers.set(name, String(value));
    return response;
  };
  const setHeaders = helmet({
    ...others,
    contentSecurityPolicy: { useDefaults: false, directives },
  });
  setHeaders(response.req, response, () => undefined);
  return [...headers];
}
