import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { z } from 'zod';
import { ROOT } from './built-package.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** The package and what it depends on, for the import map of a page. */
const MODULES = { 'openapi-fetch.mjs': join(ROOT, 'node_modules/openapi-fetch/dist/index.mjs') };

export type PageServer = { url: string; close(): Promise<void> };

/**
 * Serves pages from a folder, the built package at `/sdk/` and what it imports beside it, as files:
 * a browser needs no bundler for them.
 */
export async function startPageServer(options: {
  pages: string;
  sdk: string;
}): Promise<PageServer> {
  const fileOf = (path: string) => {
    const known = Object.entries(MODULES).find(([name]) => path === `/${name}`);
    if (known) return known[1];
    if (path.startsWith('/sdk/')) return join(options.sdk, normalize(path.slice('/sdk'.length)));
    return join(options.pages, normalize(path));
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = fileOf(pathname);
    const bytes = await readFile(file).catch(() => undefined);
    const type = TYPES[extname(file)];
    if (pathname === '/favicon.ico') response.writeHead(204).end();
    else if (bytes === undefined || type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
