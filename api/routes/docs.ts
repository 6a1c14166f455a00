import { readFileSync } from 'node:fs';
import { html } from '../docs/html.ts';
import { renderReference } from '../docs/reference-page.ts';
import { type ServeFile, serveFile } from '../docs/static-file.ts';
import { SIGNED_IN_PAGE, startScript, TRY_PAGE } from '../docs/try-page.ts';
import { redirect, reply } from '../http/replies/reply.ts';
import { type Route, route } from '../http/route.ts';
import { describeApi, type NamedRoutes } from '../openapi/document.ts';
import { DISCOVERY_PATH } from '../openapi/security.ts';
import { version } from '../package-info.ts';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Of a development dependency: the image has this file of it, which contains all that it needs. */
const LIBRARY = new URL(
  '../../node_modules/@scalar/fastify-api-reference/dist/js/standalone.js',
  import.meta.url,
);

const page = { method: 'GET', root: true, access: 'public', tag: 'Reference' } as const;

const GUIDE = ownFile('build-an-app.html').toString();
const guides = new Map<string, ServeFile>();

/** Serves the guide with the service's own address in its code, so that it runs as it stands. */
function guideOf(address: string): ServeFile {
  const known = guides.get(address);
  if (known !== undefined) return known;
  const code = html`const API = '${address}';`.markup;
  const content = GUIDE.replace("const API = 'http://127.0.0.1:3000';", () => code);
  const guide = serveFile(HTML, Buffer.from(content));
  guides.set(address, guide);
  return guide;
}

/** The pages that explain the API, and their files: all are read once, and served from here. */
const pages = {
  showReference: route({
    ...page,
    path: '/docs',
    summary: 'Show the API reference page',
    produces: HTML,
    handle: () => ({}),
  }),
  showReferenceSearch: route({
    ...page,
    path: '/docs/search.js',
    summary: 'Get the script that searches the reference page',
    produces: JAVASCRIPT,
    handle: serveFile(JAVASCRIPT, ownFile('search.js')),
  }),
  showTryPage: route({
    ...page,
    path: '/docs/try',
    summary: 'Show the page that sends requests',
    produces: HTML,
    handle: serveFile(HTML, Buffer.from(TRY_PAGE)),
  }),
  showReferenceStart: route({
    ...page,
    path: '/docs/start.js',
    summary: 'Get the start script of the page that sends requests',
    produces: JAVASCRIPT,
    handle: ({ settings: { oidcIssuer: issuer, docsClientId: clientId } }) =>
      reply({
        body: startScript(clientId === undefined ? undefined : { issuer, clientId }),
        headers: { 'Content-Type': JAVASCRIPT, 'Cache-Control': 'no-cache' },
      }),
  }),
  showReferenceScript: route({
    ...page,
    path: '/docs/reference.js',
    summary: 'Get the library of the page that sends requests',
    produces: JAVASCRIPT,
    handle: serveFile(JAVASCRIPT, readFileSync(LIBRARY)),
  }),
  showSignedIn: route({
    ...page,
    path: '/docs/signed-in',
    summary: 'Show that a reader of that page has signed in',
    produces: HTML,
    handle: serveFile(HTML, Buffer.from(SIGNED_IN_PAGE)),
  }),
  showGuide: route({
    ...page,
    path: '/docs/build-an-app',
    summary: 'Show how to build an app on this API',
    produces: HTML,
    handle: (request) => guideOf(request.settings.apiBaseUrl)(request),
  }),
  showPagesStyle: route({
    ...page,
    path: '/docs/pages.css',
    summary: 'Get the style sheet of the reference and of the page on building an app',
    produces: CSS,
    handle: serveFile(CSS, ownFile('pages.css')),
  }),
  goToReference: toReference('/docs/'),
  goToReferenceFromApi: toReference('/api/v1'),
  goToDiscovery: route({
    ...page,
    path: DISCOVERY_PATH,
    summary: 'Go to the identity provider’s description of itself',
    status: 302,
    produces: 'text/plain',
    handle: ({ settings: { oidcIssuer } }) =>
      redirect(`${oidcIssuer.replace(/\/$/, '')}${DISCOVERY_PATH}`),
  }),
} satisfies NamedRoutes;

/**
 * Builds the routes of the pages, and of the OpenAPI documents of all routes. Everything is built
 * once, when the service starts.
 */
export function docsRoutes(others: NamedRoutes): NamedRoutes {
  const documents = {
    showOpenApi: documentRoute('/openapi.json', 'Get the OpenAPI 3.1 document of this service'),
    showInternalOpenApi: documentRoute(
      '/openapi-internal.json',
      'Get the OpenAPI 3.1 document of what providers, schedulers and probes call',
    ),
  };
  const all = { ...others, ...pages, ...documents };
  const forApps = describeApi(all, { version, audience: 'apps' });
  const internal = describeApi(all, { version, audience: 'internal' });
  const reference = Buffer.from(renderReference(forApps));
  return {
    ...pages,
    showReference: { ...pages.showReference, handle: serveFile(HTML, reference) },
    showOpenApi: { ...documents.showOpenApi, handle: serveJson(forApps) },
    showInternalOpenApi: { ...documents.showInternalOpenApi, handle: serveJson(internal) },
  };
}

function documentRoute(path: '/openapi.json' | '/openapi-internal.json', summary: string): Route {
  return route({
    method: 'GET',
    path,
    access: 'public',
    tag: 'Reference',
    summary,
    produces: 'application/json',
    handle: () => ({}),
  });
}

function serveJson(document: ReturnType<typeof describeApi>) {
  return serveFile(JSON_TYPE, Buffer.from(JSON.stringify(document)));
}

/** The address of the API itself, as `/` gives it, shows what there is. */
function toReference(path: '/docs/' | '/api/v1'): Route {
  return route({
    ...page,
    path,
    summary: 'Go to the API reference page',
    status: 302,
    produces: 'text/plain',
    handle: ({ settings: { apiBaseUrl } }) => redirect(`${apiBaseUrl}/docs`),
  });
}

function ownFile(name: string): Buffer {
  return readFileSync(new URL(`../docs/${name}`, import.meta.url));
}
