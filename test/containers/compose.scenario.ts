import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import {
  deliverLarge,
  deliverUnsigned,
  kilobytesInProxy,
  readSlowly,
  sendSlowly,
} from './attacks.ts';
import { BILL, billOf, contentsOf, LICENCES, mayBeShipped } from './contents.ts';
import { type Deployment, layOut, SERVICES } from './deployment.ts';
import { configureEngine, podman, ROOT, say, timed } from './engine.ts';
import {
  APPS_IMAGE,
  buildOurs,
  buildStandIns,
  type Release,
  SERVICE_IMAGE,
  sayStandIns,
  shippedImages,
  takeRelease,
} from './images.ts';
import { addressesOf, type Inside, killed, lookInside, reaches, sayInside } from './inside.ts';
import { HERE } from './outside.ts';
import { preparePods } from './pods.ts';
import { keepRinging, openShop, type Shop } from './shop.ts';

let standIns: Awaited<ReturnType<typeof buildStandIns>>;
let deployment: Deployment;
let shop: Shop;

beforeAll(async () => {
  await configureEngine();
  standIns = await timed('stand-ins', buildStandIns);
  await timed('our images', buildOurs);
  await takeRelease('first');
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

/** What runs all the time, and says by itself whether it is healthy. */
const LASTING = SERVICES.filter((name) => !/-(namespace|bucket)$/.test(name));
const ONCE = ['migrate', 'temporal-schema', 'temporal-namespace', 'objects-bucket'];

async function untilAllAreWell(): Promise<void> {
  for (const once of ONCE) {
    await expect.poll(() => stateOf(once), { timeout: 180_000 }).toBe('exited 0');
  }
  for (const service of LASTING) {
    await expect.poll(() => stateOf(service), { timeout: 180_000 }).toBe('healthy');
  }
}

describe('the shipped images', () => {
  it('hold nothing that builds, and nothing that only another platform can run', async () => {
    const service = await contentsOf(SERVICE_IMAGE);
    const apps = await contentsOf(APPS_IMAGE);
    for (const [name, { bytes }] of Object.entries({ service, apps })) {
      say(`  image of the ${name}: ${(bytes / 1e6).toFixed(0)} MB`);
    }
    expect([service.buildTools, apps.buildTools]).toEqual([[], []]);
    expect([service.foreign, apps.foreign]).toEqual([[], []]);
  });

  it('are of packages whose licences let them be shipped, of which there is a list', async () => {
    const packages = await timed('bill of materials', () => billOf(SERVICE_IMAGE));
    expect(packages.length).toBeGreaterThan(100);
    const licences = packages.map(({ licence }) => licence);
    for (const licence of new Set(licences)) {
      say(`  ${licence}: ${licences.filter((each) => each === licence).length}`);
    }
    say(`  ${BILL}\n  ${LICENCES}`);
    expect(packages.filter((each) => !mayBeShipped(each))).toEqual([]);
  });
});

describe('the shipped compose file', () => {
  it('is started from images that are named here, version beside version', async () => {
    sayStandIns(standIns);
    expect(standIns.map(({ image }) => image)).toEqual(await shippedImages());
  });

  it('starts everything, and what has to be healthy is', async () => {
    await timed('docker-compose up', () =>
      deployment.compose('up', '--detach', '--no-build', ...SERVICES),
    );
    await untilAllAreWell();
  });

  it('credits a sale at each provider, and burns a code once, through nginx', async () => {
    shop = await openShop(deployment);
    await shop.ringAndBurn();
  });

  it('serves the four apps, which know the API', async () => {
    const { url, appsUrl } = deployment;
    const config = await (await fetch(`${appsUrl}/config.json`)).json();
    expect(config).toMatchObject({ api: url, issuer: deployment.outside.issuer.url });
    for (const app of ['wallet', 'till', 'portal', 'office']) {
      const page = await fetch(`${appsUrl}/${app}/`);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.headers.get('content-security-policy')).toContain(url);
      const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.text()) ?? [];
      expect((await fetch(new URL(script, page.url))).status).toBe(200);
    }
  });
});

/** Podman's own folder, with files that cannot be changed, belongs to root. */
const OF_ROOT = ['/run/secrets', '/tmp'];

/** What the shipped file allows each container; `-1` and `-2` are the same. */
const ALLOWED: Record<string, Partial<Inside>> = {
  proxy: { user: 101, networks: ['edge', 'front'] },
  apps: { user: 101, networks: ['pages'], writable: ['/tmp'] },
  'api-1': { user: 1000, networks: ['app', 'data', 'edge'] },
  'worker-2': { user: 1000, networks: ['app', 'data'] },
  postgres: { user: 999, networks: ['data'] },
  'temporal-postgres': { user: 999, networks: ['data'] },
  temporal: { user: 1000, networks: ['app', 'data'] },
  objects: { user: 0, networks: ['data'], capabilities: ['DAC_OVERRIDE'], writable: OF_ROOT },
  prometheus: { user: 65_534, networks: ['app', 'ops'] },
  machine: { user: 65_534, networks: ['ops'] },
  alertmanager: { user: 65_534, networks: ['ops'] },
};

describe('seen from inside', () => {
  const seen = new Map<string, Inside>();
  afterAll(() => sayInside(seen));

  it.each(Object.entries(ALLOWED))(
    '%s may do what it needs, and nothing else',
    async (name, own) => {
      const inside = await lookInside(deployment, name);
      seen.set(name, inside);
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

  it('the proxy reaches the APIs, and nothing that holds data or orders', async () => {
    const proxyTo = async (service: string, port: number) => {
      const addresses = await addressesOf(deployment, service);
      const hosts = addresses.map((host) => reaches(deployment, 'proxy', { host, port }));
      return (await Promise.all(hosts)).some(Boolean);
    };
    expect(await proxyTo('api-1', 3000)).toBe(true);
    expect(await proxyTo('temporal', 7233)).toBe(false);
    expect(await proxyTo('worker-1', 9465)).toBe(false);
    expect(await proxyTo('prometheus', 9090)).toBe(false);
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

describe('an attack', () => {
  it('by those who send slowly keeps out no event and no sale', async () => {
    const slow = sendSlowly(deployment);
    try {
      await sleep(1_000);
      for (const bytes of [12_000, 100_000, 900_000]) {
        expect(await deliverLarge(deployment, bytes)).toBe(200);
      }
      expect(await deliverUnsigned(deployment, '198.51.100.1')).toBe(401);
      expect(await deliverUnsigned(deployment, '203.0.113.7')).toBe(503);
      await shop.ringAndBurn();
    } finally {
      slow.stop();
    }
  });

  it('by those who read slowly fills no disk of the proxy', async () => {
    const before = await kilobytesInProxy(deployment);
    const slow = readSlowly(deployment);
    try {
      await sleep(5_000);
      expect(await kilobytesInProxy(deployment)).toBeLessThanOrEqual(before);
      expect(await deliverLarge(deployment, 900_000)).toBe(200);
      await shop.ringAndBurn();
    } finally {
      slow.stop();
    }
  });
});

describe('a day of an operator', () => {
  it('stops and starts everything', async () => {
    await timed('stop', () => deployment.compose('stop'));
    await timed('start', async () => {
      await deployment.compose('up', '--detach', '--no-build', ...SERVICES);
      await untilAllAreWell();
    });
    await shop.ringAndBurn();
  });

  it.each<Release>(['second', 'first'])(
    'rolls out the %s release, while sales are rung',
    async (release) => {
      const traffic = keepRinging(shop);
      await takeRelease(release);
      await timed(`release ${release}`, async () => {
        await deployment.type('docker compose run --rm migrate');
        for (const service of ['api-1', 'api-2', 'worker-1', 'worker-2', 'apps']) {
          await deployment.type(`docker compose up -d --no-deps ${service}`);
          await expect.poll(() => stateOf(service), { timeout: 180_000 }).toBe('healthy');
          const label = '{{index .Config.Labels "release"}}';
          const id = await deployment.idOf(service);
          expect(await podman('inspect', '--format', label, id)).toBe(release);
        }
      });
      const rounds = await traffic.stop();
      say(`  ${rounds} rounds of sales and a code, none of which failed`);
      expect(rounds).toBeGreaterThan(0);
      await shop.ringAndBurn();
    },
  );

  it('restores a lost database from a dump, by what docs/operating.md says', async () => {
    const page = await readFile(join(ROOT, 'docs/operating.md'), 'utf8');
    const [, section = ''] = page.split('**In the compose file, from a dump.**');
    const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const [dump = '', restore = ''] = blocks;
    const balance = await shop.balance();
    await timed('dump', () => deployment.type(dump));
    await deployment.compose('rm', '--stop', '--force', 'postgres');
    await podman('volume', 'rm', `${deployment.project}_postgres`);
    const said = await timed('restore', () => deployment.type(restore));
    expect(said).toContain('Every wallet adds up.');
    for (const service of ['api-1', 'api-2', 'worker-1', 'worker-2', 'proxy']) {
      await expect.poll(() => stateOf(service), { timeout: 180_000 }).toBe('healthy');
    }
    expect(await shop.balance()).toBe(balance);
    await shop.ringAndBurn();
  });
});

describe('pods of the shipped manifests', () => {
  it('migrate, serve and work', async () => {
    const { play } = await timed('manifests', () => preparePods(deployment));
    const migration = await play('loyalty-migrate');
    await expect.poll(migration.state, { timeout: 180_000 }).toBe('exited 0');
    const api = await play('loyalty-api');
    const worker = await play('loyalty-worker');
    const status = (url: string, headers = {}) =>
      fetch(url, { headers }).then(
        (answer) => answer.status,
        () => 0,
      );
    const ready = { timeout: 180_000, interval: 500 };
    await expect.poll(() => status(`http://${api.address}:3000/health/ready`), ready).toBe(200);
    await expect.poll(() => status(`http://${worker.address}:9465/health`), ready).toBe(200);
    const authorization = `Bearer ${await deployment.outside.issuer.token({ ...PEOPLE.consumer })}`;
    const me = `http://${api.address}:3000/api/v1/auth/me`;
    expect(await status(me, { authorization })).toBe(200);
    // Nobody else is left to credit it.
    await deployment.compose('stop', 'worker-1', 'worker-2');
    await shop.ringAndBurn();
  });
});
