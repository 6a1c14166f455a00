import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPENAPI_FILE, openApiText } from '../../../api/openapi/file.ts';
import { routes } from '../../../api/routes/index.ts';
import { type Served, serveRoutes } from '../../support/serve-routes.ts';

const committed = readFileSync(OPENAPI_FILE, 'utf8');

let served: Served;
beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(() => served.close());

describe('openapi.json', () => {
  it('describes the routes as they are', () => {
    expect(committed, 'openapi.json is out of date: run npm run openapi').toBe(openApiText());
  });

  it('is the document that the service serves', async () => {
    const response = await fetch(`${served.url}/api/v1/openapi.json`);
    expect(JSON.parse(committed), 'run npm run openapi').toEqual(await response.json());
  });

  it('names no host of ours', () => {
    const { servers } = JSON.parse(committed);
    expect(servers).toEqual([{ url: '/', description: expect.any(String) }]);
    expect(committed).not.toMatch(/localhost|127\.0\.0\.1/);
  });
});
