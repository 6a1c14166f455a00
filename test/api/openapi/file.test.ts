import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPENAPI_FILES, openApiText } from '../../../api/openapi/file.ts';
import { routes } from '../../../api/routes/index.ts';
import { type Served, serveRoutes } from '../../support/http/serve-routes.ts';

let served: Served;
beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(() => served.close());

const addresses = { apps: 'openapi.json', internal: 'openapi-internal.json' } as const;

describe.each(['apps', 'internal'] as const)('the document for %s', (audience) => {
  const committed = readFileSync(OPENAPI_FILES[audience], 'utf8');

  it('describes the routes as they are', () => {
    const why = 'the committed document is out of date: run npm run openapi';
    expect(committed === openApiText(audience), why).toBe(true);
  });

  it('is the document that the service serves', async () => {
    const response = await fetch(`${served.url}/api/v1/${addresses[audience]}`);
    expect(JSON.parse(committed), 'run npm run openapi').toEqual(await response.json());
  });

  it('names the service that serves it, and no other', () => {
    const { servers } = JSON.parse(committed);
    expect(servers).toEqual([{ url: '/', description: expect.any(String) }]);
  });
});
