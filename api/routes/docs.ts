import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { redirect, reply } from '../http/replies.ts';
import { type Route, route } from '../http/route.ts';
import { describeApi } from '../openapi/document.ts';
import { version } from '../package-info.ts';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loyalty points: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  dom_id: '#reference',
  url: 'api/v1/openapi.json',
  deepLinking: true,
  validatorUrl: null,
});
`;

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/**
 * Builds the routes of the reference page and its files, which are all served from here, and of the
 * OpenAPI document of all routes. Everything is read and built once, when the service starts.
 */
export function docsRoutes(others: readonly Route[]): Route[] {
  const pageRoutes = [
    file('/docs', HTML, 'Show the API reference page', Buffer.from(PAGE)),
    file(
      '/docs/start.js',
      JAVASCRIPT,
      'Get the start script of the reference page',
      Buffer.from(START),
    ),
    file(
      '/docs/swagger-ui.css',
      CSS,
      'Get the style sheet of the reference page',
      asset('swagger-ui.css'),
    ),
    file(
      '/docs/swagger-ui-bundle.js',
      JAVASCRIPT,
      'Get the script of the reference page',
      asset('swagger-ui-bundle.js'),
    ),
  ];
  const redirects = [toDocs('/docs/'), toDocs('/api/v1')];
  const shown = [...pageRoutes, ...redirects];
  return [documentRoute([...others, ...shown]), ...shown];
}

/** The address of the API itself, as `/` gives it, shows what there is. */
function toDocs(path: '/docs/' | '/api/v1'): Route {
  return route({
    method: 'GET',
    path,
    root: true,
    access: 'public',
    tag: 'Reference',
    summary: 'Go to the API reference page',
    status: 302,
    produces: 'text/plain',
    handle: ({ settings: { apiBaseUrl } }) => redirect(`${apiBaseUrl}/docs`),
  });
}

function documentRoute(others: readonly Route[]): Route {
  const documented: Route = route({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    tag: 'Reference',
    summary: 'Get the OpenAPI 3.1 document of this service',
    produces: 'application/json',
    handle: () => document(),
  });
  const text = Buffer.from(JSON.stringify(describeApi([...others, documented], version)));
  const document = serveStatic('application/json; charset=utf-8', text);
  return documented;
}

function file(
  path: '/docs' | '/docs/start.js' | '/docs/swagger-ui.css' | '/docs/swagger-ui-bundle.js',
  type: string,
  summary: string,
  content: Buffer,
): Route {
  const handle = serveStatic(type, content);
  return route({
    method: 'GET',
    path,
    root: true,
    access: 'public',
    tag: 'Reference',
    summary,
    produces: type,
    handle,
  });
}

function serveStatic(type: string, content: Buffer) {
  const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: tag };
  return () => reply({ body: content, headers });
}

function asset(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}
