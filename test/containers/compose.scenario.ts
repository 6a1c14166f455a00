import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Deployment, layOut, SERVICES } from './deployment.ts';
import { podman, timed } from './engine.ts';
import { buildOurs, buildStandIns, sayStandIns, shippedImages } from './images.ts';
import { addressOf, type Inside, killed, lookInside, reaches } from './inside.ts';
import { HERE } from './outside.ts';
import { openShop, type Shop } from './shop.ts';

let standIns: Awaited<ReturnType<typeof buildStandIns>>;
let deployment: Deployment;
let shop: Shop;

beforeAll(async () => {
  standIns = await timed('stand-ins', buildStandIns);
  await timed('our images', buildOurs);
  deployment = await layOut();
});
afterAll(() => deployment?.close());

const State = z.object({
  Status: z.string(),
  ExitCode: z.number(),
  Health: z.object({ Status: z.string() }).optional(),
});

/** How a service is: healthy, running without a check, or how it ended. */
async function stateOf(service: string): Promise<string> {
  const id = await deployment.idOf(service);
  const said = await podman('inspect', '--format', '{{json .State}}', id);
  const { Status, ExitCode, Health } = State.parse(JSON.parse(said));
  if (Status !== 'running') return `${Status} ${ExitCode}`;
  return Health?.Status || Status;
}

describe('the shipped compose file', () => {
  it('is started from images that are named here, version beside version', async () => {
    sayStandIns(standIns);
    expect(standIns.map(({ image }) => image)).toEqual(await shippedImages());
  });

  it('starts everything, and what has to be healthy is', async () => {
    await timed('docker-compose up', () =>
      deployment.compose('up', '--detach', '--no-build', ...SERVICES),
    );
    for (const once of ['migrate', 'temporal-schema', 'temporal-namespace', 'objects-bucket']) {
      await expect.poll(() => stateOf(once), { timeout: 120_000 }).toBe('exited 0');
    }
    for (const service of SERVICES.filter((name) => !/-(namespace|bucket)$/.test(name))) {
      await expect.poll(() => stateOf(service), { timeout: 120_000 }).toBe('healthy');
    }
  });

  it('credits a sale at each provider, and burns a code once, through nginx', async () => {
    shop = await openShop(deployment);
    await shop.ringAndBurn();
  });
});

/** Podman's own folder, with files that cannot be changed, belongs to root. */
const OF_ROOT = ['/run/secrets', '/tmp'];

/** What the shipped file allows each container; `-1` and `-2` are the same. */
const ALLOWED: Record<string, Partial<Inside>> = {
  proxy: { user: 101, networks: ['edge'] },
  apps: { user: 101, networks: ['pages'], writable: ['/tmp'] },
  'api-1': { user: 1000, networks: ['app', 'data', 'edge'] },
  'worker-2': { user: 1000, networks: ['app', 'data'] },
  postgres: { user: 999, networks: ['data'] },
  'temporal-postgres': { user: 999, networks: ['data'] },
  temporal: { user: 1000, networks: ['app', 'data'] },
  objects: { user: 0, networks: ['data'], capabilities: ['DAC_OVERRIDE'], writable: OF_ROOT },
  prometheus: { user: 65_534, networks: ['app', 'ops'] },
  alertmanager: { user: 65_534, networks: ['ops'] },
};

describe('seen from inside', () => {
  it.each(Object.entries(ALLOWED))(
    '%s may do what it needs, and nothing else',
    async (name, own) => {
      const inside = await lookInside(deployment, name);
      expect(inside).toEqual({
        capabilities: [],
        noNewPrivileges: true,
        isFiltered: true,
        writable: ['/tmp'],
        memoryLimit: expect.any(Number),
        ...own,
      });
      expect(inside.memoryLimit).toBeGreaterThan(0);
    },
  );

  it('the proxy reaches the APIs, and nothing that holds data', async () => {
    const proxyTo = async (host: string, port: number) =>
      await reaches(deployment, 'proxy', { host: await addressOf(deployment, host), port });
    expect(await proxyTo('api-1', 3000)).toBe(true);
    expect(await proxyTo('postgres', 5432)).toBe(false);
    expect(await proxyTo('objects', 8333)).toBe(false);
  });

  it('what holds data reaches nothing outside', async () => {
    const { port } = new URL(deployment.outside.origins.ALPHA_ORIGIN ?? '');
    const outside = { host: HERE, port: Number(port) };
    expect(await reaches(deployment, 'worker-1', outside)).toBe(true);
    expect(await reaches(deployment, 'postgres', outside)).toBe(false);
    expect(await reaches(deployment, 'objects', outside)).toBe(false);
  });
});

describe('a container of each kind that is killed', () => {
  it.each([
    'api-1',
    'worker-1',
    'proxy',
    'apps',
    'temporal',
    'objects',
    'temporal-postgres',
    'postgres',
  ])('%s comes back by itself, and a sale is credited', async (service) => {
    await killed(deployment, service);
    await expect.poll(() => stateOf(service), { timeout: 180_000 }).toBe('healthy');
    await shop.ring();
  });
});
