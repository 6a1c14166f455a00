import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { LANGUAGES, languageOf } from '../../web/languages.ts';
import { appHeaders, appOf } from '../../web/policy.ts';
import { listenOnLoopback } from '../processes/listen.ts';

export type AppServer = { readonly url: string; stop(): Promise<void> };

/** What the apps read from `/config.json`. */
export type ServedConfig = {
  api: string;
  issuer: string;
  clientId: string;
  scope: string;
  support?: string;
  testSales?: string;
};

const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * Serves the built reference apps on 127.0.0.1, as an installation's web server does: each app at
 * its path, whatever follows it, in the language of who asks, under a policy that allows no other
 * host than the service and the identity provider. The configuration is asked for at each request:
 * the service may start later.
 */
export async function startAppServer(options: {
  port: number;
  /** The folder with the built apps. */
  folder: string;
  /** Builds the page of components when it is first asked for, and returns its folder. */
  components?(): Promise<string>;
  config(): ServedConfig;
}): Promise<AppServer> {
  const { folder, config } = options;
  const listener = await listenOnLoopback(options.port);
  const files = filesInLanguages(folder);
  let components: Promise<ReturnType<typeof sirv>> | undefined;
  const componentsOnce = () => {
    components ??= options.components?.().then(filesOf);
    return components;
  };

  listener.answerWith((request, response) => {
    const { api, issuer, ...client } = config();
    const headers = appHeaders([api, new URL(issuer).origin]);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/config.json') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify({ api, issuer, ...client }));
      return;
    }
    if (pathname === '/build-an-app') {
      response.writeHead(302, { location: `${api}/docs/build-an-app` }).end();
      return;
    }
    const missing = () => {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here\n');
    };
    files(request, response, () => {
      const app = appOf(pathname);
      if (app === undefined) {
        const isComponents = pathname.startsWith('/components/');
        const others = isComponents ? componentsOnce() : components;
        if (others === undefined) return missing();
        others.then(
          (serve) => serve(request, response, missing),
          (error: unknown) => response.writeHead(500).end(`${error}\n`),
        );
        return;
      }
      request.url = `/${app}/`;
      files(request, response, missing);
    });
  });
  return { url: listener.url, stop: listener.stop };
}

type Serve = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

/** Serves what the language of a request has, or else another: a page asks for files of its own. */
function filesInLanguages(folder: string): Serve {
  const all = LANGUAGES.map((language) => ({ language, serve: filesOf(join(folder, language)) }));
  return (request, response, otherwise) => {
    const asked = languageOf(request.headers);
    const own = all.filter(({ language }) => language === asked);
    const others = all.filter(({ language }) => language !== asked);
    const first = [...own, ...others].reduceRight(
      (next, { serve }) =>
        () =>
          serve(request, response, next),
      otherwise,
    );
    first();
  };
}

function filesOf(folder: string) {
  return sirv(folder, {
    gzip: true,
    etag: true,
    setHeaders: (response, path) => {
      const isNamedByContent = path.startsWith('/assets/');
      const forLong = `public, max-age=${YEAR_SECONDS}, immutable`;
      response.setHeader('cache-control', isNamedByContent ? forLong : 'no-cache');
    },
  });
}
