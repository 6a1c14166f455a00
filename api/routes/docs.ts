import { readFileSync } from 'node:fs';
import { REFERENCE_PAGE, SIGNED_IN_PAGE, startScript } from '../docs/reference.ts';
import { serveFile } from '../docs/static-file.ts';
import { redirect, reply } from '../http/replies/reply.ts';
import { type Route, route } from '../http/route.ts';
import { describeApi, type NamedRoutes } from '../openapi/document.ts';
import { DISCOVERY_PATH } from '../openapi/security.ts';
import type { Audience } from '../openapi/tags.ts';
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

/** The pages that explain the API, and their files: all are read once, and served from here. */
const pages = {
  showReference: route({
    ...page,
    path: '/docs',
    summary: 'Show the API reference page',
    produces: HTML,
    handle: serveFile(HTML, Buffer.from(REFERENCE_PAGE)),
  }),
  showReferenceStart: route({
    ...page,
    path: '/docs/start.js',
    summary: 'Get the start script of the reference page',
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
    summary: 'Get the script of the reference page',
    produces: JAVASCRIPT,
    handle: serveFile(JAVASCRIPT, readFileSync(LIBRARY)),
  }),
  showSignedIn: route({
    ...page,
    path: '/docs/signed-in',
    summary: 'Show that a reader of the reference page has signed in',
    produces: HTML,
    handle: serveFile(HTML, Buffer.from(SIGNED_IN_PAGE)),
  }),
  showGuide: route({
    ...page,
    path: '/docs/build-an-app',
    summary: 'Show how to build an app on this API',
    produces: HTML,
    handle: serveFile(HTML, ownFile('build-an-app.html')),
  }),
  showGuideStyle: route({
    ...page,
    path: '/docs/build-an-app.css',
    summary: 'Get the style sheet of the page on building an app',
    produces: CSS,
    handle: serveFile(CSS, ownFile('build-an-app.css')),
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
  return {
    ...pages,
    showOpenApi: { ...documents.showOpenApi, handle: serveDocument(all, 'apps') },
    showInternalOpenApi: {
      ...documents.showInternalOpenApi,
      handle: serveDocument(all, 'internal'),
    },
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

function serveDocument(routes: NamedRoutes, audience: Audience) {
  return serveFile(
    JSON_TYPE,
    Buffer.from(JSON.stringify(describeApi(routes, { version, audience }))),
  );
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
