import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createReadiness } from '../../../api/http/readiness.ts';
import { showHealth, showReadiness, showService } from '../../../api/routes/service.ts';
import { connect, type Db } from '../../../db/connection.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { serveRoutes } from '../../support/http/serve-routes.ts';

const routes = [showService, showHealth, showReadiness];
const database = await useDatabase();
/** The readiness over that database and a Temporal that answers so. */
const over = (db: Db, isReachable: () => Promise<boolean> = async () => true) => ({
  readiness: createReadiness(db, { isReachable }),
});

async function get(path: string, deps: Parameters<typeof serveRoutes>[1] = {}) {
  const served = await serveRoutes(routes, deps);
  try {
    const response = await fetch(`${served.url}${path}`);
    return { status: response.status, body: await response.json() };
  } finally {
    await served.close();
  }
}

describe('GET /', () => {
  it('200 with the name of the service and its links', async () => {
    expect(await get('/')).toEqual({
      status: 200,
      body: {
        service: 'loyalty-points-service',
        links: {
          health: 'https://api.shop.example/health',
          api: 'https://api.shop.example/api/v1',
        },
      },
    });
  });
});

describe('GET /health', () => {
  it('200 with the version and the environment, even without a database', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await get('/health')).toEqual({
      status: 200,
      body: { status: 'ok', version, env: 'test' },
    });
  });
});

describe('GET /health/ready', () => {
  it('200 ok when Postgres and Temporal answer', async () => {
    expect(await get('/health/ready', over(database.db))).toEqual({
      status: 200,
      body: { status: 'ok', postgres: true, temporal: true },
    });
  });

  it.each([
    ['is unreachable', async () => false],
    ['fails', async () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise<boolean>(() => undefined)],
  ])('200 degraded when Temporal %s', async (_, isReachable) => {
    expect(await get('/health/ready', over(database.db, isReachable))).toEqual({
      status: 200,
      body: { status: 'degraded', postgres: true, temporal: false },
    });
  });

  it('503 draining while the process is stopping, although everything is reachable', async () => {
    const drainState = { isAccepting: () => false };
    const deps = { drainState, ...over(database.db) };
    expect(await get('/health/ready', deps)).toEqual({
      status: 503,
      body: { status: 'draining', postgres: true, temporal: true },
    });
  });

  it('503 when nothing listens at the address of Postgres', async () => {
    const db = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test');
    try {
      const { status, body } = await get('/health/ready', over(db));
      expect(status).toBe(503);
      expect(body).toEqual({ status: 'unavailable', postgres: false, temporal: true });
    } finally {
      await db.destroy();
    }
  });

  it('503 when Postgres accepts the connection but never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const db = connect(`postgres://127.0.0.1:${port}/none`, 1, 'loyalty-test');
    try {
      expect((await get('/health/ready', over(db))).status).toBe(503);
    } finally {
      silent.close();
      await db.destroy();
    }
  });
});
