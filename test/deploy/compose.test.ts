import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigSchema, loadConfig, loadOwnerUrl, loadWorkerConfig } from '../../config.ts';
import { createStatementKeys } from '../../gateways/crypto/statement-keys.ts';
import { settingNames } from '../../gateways/providers/index.ts';
import { publicPushKey } from '../../gateways/push/pusher.ts';
import { required } from '../support/factories.ts';
import { needs } from '../support/needs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The settings that an operator must give, and no others. */
const OPERATOR = {
  API_BASE_URL: 'https://api.shop.example',
  FRONTEND_URL: 'https://shop.example',
  OIDC_ISSUER: 'https://identity.example',
  OIDC_AUDIENCE: 'loyalty-api',
  ADMIN_EMAIL_DOMAIN: 'shop.example',
  MAIL_FROM: 'Shop <points@shop.example>',
};

const Condition = z.enum(['service_healthy', 'service_completed_successfully']);
const Service = z.object({
  image: z.string(),
  /** The folder of the service's image, or the part of the Dockerfile that makes another one. */
  build: z.union([z.string(), z.object({ target: z.string() })]).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: Condition })).default({}),
  restart: z.string(),
  mem_limit: z.string(),
  healthcheck: z.object({ disable: z.boolean().optional() }).optional(),
  stop_grace_period: z.string().optional(),
  user: z.string().optional(),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  privileged: z.boolean().default(false),
  network_mode: z.string().optional(),
  networks: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
});
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null()),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});

const compose = Compose.parse(parse(read('docker-compose.yml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => typeof build === 'string');
const oneShots = new Set(
  services.flatMap(([, { depends_on }]) =>
    Object.entries(depends_on).flatMap(([name, { condition }]) =>
      condition === 'service_completed_successfully' ? [name] : [],
    ),
  ),
)
  .add('objects-bucket')
  .add('temporal-namespace')
  .add('restore');

let secrets: string;
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'loyalty-secrets-'));
  execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [secrets]);
  // It comes from elsewhere.
  writeFileSync(join(secrets, 'smtp_url'), 'smtps://user:password@mail.shop.example:465');
});
afterAll(() => rmSync(secrets, { recursive: true, force: true }));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function serviceNamed(name: string): z.infer<typeof Service> {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no ${name}`);
  return found;
}

/** The environment of a container, with the operator's settings and the generated secrets. */
function environmentOf(name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(serviceNamed(name).environment).map(([key, value]) => [
      key,
      interpolate(String(value)).replace('/run/secrets', secrets),
    ]),
  );
}

function interpolate(text: string): string {
  const given: Record<string, string> = OPERATOR;
  return text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind, rest) => {
    const value = given[name];
    if (value === undefined && kind === '?') throw new Error(`${name} is not set: ${rest}`);
    return value ?? rest;
  });
}

describe('docker-compose.yml', () => {
  it('is accepted by docker-compose', needs('docker-compose'), () => {
    const config = (env: Record<string, string>) =>
      execFileSync('docker-compose', ['config'], {
        cwd: ROOT,
        env: { PATH: process.env.PATH ?? '', ...env },
        stdio: 'pipe',
      }).toString();
    expect(config(OPERATOR)).toContain('API_BASE_URL: https://api.shop.example');
    expect(() => config({ ...OPERATOR, OIDC_ISSUER: '' })).toThrow(/identity provider/);
  });

  // OpenTelemetry reads its own names.
  const ofTraces = read('docs/production.md').match(/\bOTEL_\w+/g) ?? [];
  const known = [...Object.keys(ConfigSchema.shape), ...ofTraces];

  it.each(ours)('%s has only settings that exist', (_, { environment }) => {
    const names = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(['api-1', 'api-2', 'worker-1', 'worker-2'])(
    '%s has every setting that it needs to start',
    (name) => {
      const load = name.startsWith('worker-') ? loadWorkerConfig : loadConfig;
      const config = load(environmentOf(name));
      expect(config.DATABASE_URL).toContain('loyalty_service:');
      expect(config.NODE_ENV).toBe('production');
      const periodSeconds = Number.parseInt(serviceNamed(name).stop_grace_period ?? '0', 10);
      expect(periodSeconds).toBeGreaterThan(config.SHUTDOWN_GRACE_SECONDS);
    },
  );

  it('migrates as the owner, and runs the service as another role', () => {
    const env = environmentOf('migrate');
    expect(loadOwnerUrl(env)).toContain('loyalty_owner:');
    expect(readFileSync(env.DATABASE_URL_FILE ?? '', 'utf8')).toContain('loyalty_service:');
  });

  it('passes on every setting that it does not fix', () => {
    const fixed = ['HOST', 'PORT', ...settingNames().flatMap(({ overrides }) => overrides)];
    const given = ours.flatMap(([, { environment }]) =>
      Object.keys(environment).map((name) => name.replace(/_FILE$/, '')),
    );
    expect(new Set([...given, ...fixed])).toEqual(new Set(known));
  });

  it('runs without a Temporal of its own, which is a profile', () => {
    const inProfile = services.filter(([, { profiles }]) => profiles.includes('temporal'));
    const names = inProfile.map(([name]) => name);
    expect(names).toEqual(services.map(([name]) => name).filter((it) => it.startsWith('temporal')));
    const others = services.filter(([name]) => !names.includes(name));
    const needed = others.flatMap(([, { depends_on }]) => Object.keys(depends_on));
    expect(needed.filter((name) => names.includes(name))).toEqual([]);
  });

  it('builds the apps and the backups from their parts of the Dockerfile', () => {
    for (const name of ['apps', 'backup'])
      expect(serviceNamed(name).build).toEqual({ target: name });
  });

  it('lets backups read the files of the server, of its own version, and not write them', () => {
    const { image, user, volumes } = serviceNamed('postgres');
    expect(read('Dockerfile')).toContain(`FROM ${image} AS backup\n`);
    expect([serviceNamed('backup').user, serviceNamed('restore').user]).toEqual([user, user]);
    const data = required(volumes.find((volume) => volume.startsWith('postgres:')));
    expect(serviceNamed('backup').volumes).toContain(`${data}:ro`);
    expect(serviceNamed('restore').volumes).toContain(data);
    expect(serviceNamed('restore').profiles).toEqual(['restore']);
  });

  it('pins every image', () => {
    const images = services.map(([, { image }]) => image);
    expect(images.filter((image) => !/^[\w./-]+:v?\d+\.\d+[\w.-]*$/.test(image))).toEqual([]);
  });

  it('mounts only files and volumes that exist', () => {
    const sources = services.flatMap(([, { volumes }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const [files, names] = [sources.filter(isPath), sources.filter((source) => !isPath(source))];
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(new Set(names)).toEqual(new Set(Object.keys(compose.volumes)));
  });

  it.each(services)('%s can change none of its files and has no privilege', (name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.cap_add).toEqual(name === 'objects' ? ['DAC_OVERRIDE'] : []);
    expect([service.privileged, service.network_mode]).toEqual([false, undefined]);
    expect(service.tmpfs.length).toBeGreaterThan(0);
    for (const mount of service.tmpfs) expect(mount).toMatch(/^\/[\w/]+:size=\d+m$/);
  });

  it('lets the proxy reach the APIs only, and nothing with data reach the internet', () => {
    const on = (network: string) =>
      services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);
    expect(services.filter(([, { networks }]) => networks.length === 0)).toEqual([]);
    expect(serviceNamed('proxy').networks).toEqual(['edge', 'front']);
    expect(on('front')).toEqual(['proxy', 'tls', 'certificates']);
    expect(on('edge')).toEqual(['proxy', 'api-1', 'api-2']);
    expect(serviceNamed('grafana').networks).toEqual(['ops']);
    expect(compose.networks.data?.internal).toBe(true);
    for (const name of ['postgres', 'temporal-postgres', 'objects', 'migrate']) {
      expect(serviceNamed(name).networks).toEqual(['data']);
    }
    // What is read of the database has to get out.
    expect(on('backups')).toEqual(['backup', 'restore']);
    const used = new Set(services.flatMap(([, { networks }]) => networks));
    expect(used).toEqual(new Set(Object.keys(compose.networks)));
    for (const [name, { depends_on, networks }] of services) {
      for (const other of Object.keys(depends_on)) {
        const shared = serviceNamed(other).networks.filter((network) => networks.includes(network));
        if (!oneShots.has(other)) expect(shared, `${name} to ${other}`).not.toEqual([]);
      }
    }
  });

  it('publishes ports on this machine only, unless it is told otherwise', () => {
    const published = services.flatMap(([, { ports }]) => ports.map(interpolate));
    expect(published.length).toBeGreaterThan(3);
    expect(published.filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))).toEqual([]);
  });

  it('catches mail only when it is asked to', () => {
    const caught = services.filter(([, { profiles }]) => profiles.includes('catcher'));
    expect(caught.map(([name]) => name)).toEqual(['mail']);
  });

  it('sends mail from nowhere unless it is told from where', () => {
    for (const [service, name] of [
      ['worker-1', 'MAIL_FROM'],
      ['alertmanager', 'ALERTS_FROM'],
    ] as const) {
      expect(serviceNamed(service).environment[name]).toMatch(/^\$\{MAIL_FROM:\?/);
    }
  });

  it('gives the secrets of callers to the APIs only', () => {
    const keys = settingNames().map(({ webhookKey }) => webhookKey.toLowerCase());
    for (const secret of ['cron_secret', ...keys]) {
      const holders = services.filter(([, given]) => given.secrets.includes(secret));
      expect(holders.map(([name]) => name)).toEqual(['api-1', 'api-2']);
    }
  });

  it('has room for the bodies that the proxy takes at a time, within its memory', () => {
    const size = Number(/size=(\d+)m/.exec(serviceNamed('proxy').tmpfs[0] ?? '')?.[1]);
    const conf = read('deploy/nginx/nginx.conf');
    const [events, imports] = ['large_events', 'imports'].map((zone) =>
      Number(new RegExp(`limit_conn ${zone} (\\d+);`).exec(conf)?.[1]),
    );
    expect(size).toBeGreaterThan(Number(events) + 1.1 * Number(imports));
    const [, logos] = /location [^\n]*logo\$ \{([^}]*)\}/.exec(conf) ?? [];
    expect(logos).toContain('proxy_request_buffering off;');
    expect(Number.parseInt(serviceNamed('proxy').mem_limit, 10)).toBeGreaterThan(size + 64);
  });

  it('gives PostgreSQL the room for locks that the runbook names', () => {
    const [, locks] = /`max_locks_per_transaction` is (\d+)/.exec(read('docs/operating.md')) ?? [];
    const { command } = compose.services.postgres ?? {};
    expect(command).toContain(`max_locks_per_transaction=${locks}`);
  });

  it('uses exactly the secrets that make-secrets.sh creates', () => {
    const used = new Set(services.flatMap(([, service]) => service.secrets));
    expect(used).toEqual(new Set(Object.keys(compose.secrets)));
    const made = (path: string) => existsSync(path.replace('./deploy/secrets', secrets));
    const files = Object.values(compose.secrets).map(({ file }) => file);
    expect(files.filter((file) => !made(file))).toEqual([]);
  });

  it.each(services)(
    '%s reads only secrets that it has been given',
    (_, { environment, secrets: given }) => {
      const paths = Object.values(environment).map(String);
      const named = paths.flatMap((path) => /^\/run\/secrets\/(\w+)$/.exec(path)?.[1] ?? []);
      expect(named.filter((name) => !given.includes(name))).toEqual([]);
    },
  );

  it.each(services)(
    '%s has a memory limit, a restart policy, a health check and awaited dependencies',
    (name, service) => {
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      if (oneShots.has(name)) {
        expect(service.restart).toMatch(/^on-failure/);
      } else {
        expect(service.restart).toBe('unless-stopped');
        // The API uses the health check of the image.
        if (!name.startsWith('api-')) expect(service.healthcheck).toBeDefined();
      }
      for (const [other, { condition }] of Object.entries(service.depends_on)) {
        const hasEnd = oneShots.has(other);
        expect(compose.services, name).toHaveProperty(other);
        expect(condition === 'service_completed_successfully', other).toBe(hasEnd);
      }
    },
  );
});

function isPath(source: string): boolean {
  return source.startsWith('./') || source === '/';
}

describe('deploy/', () => {
  it('the proxy forwards to exactly the APIs of the compose file', () => {
    const upstreams = [
      ...read('deploy/nginx/upstream.conf').matchAll(/^ *server ([\w-]+):(\d+) /gm),
    ];
    expect(upstreams.map(([, name, port]) => `${name}:${port}`)).toEqual([
      'api-1:3000',
      'api-2:3000',
    ]);
  });

  it('Prometheus scrapes every process, on the port that it serves', () => {
    const Scrapes = z.object({
      scrape_configs: z.array(
        z.object({ static_configs: z.array(z.object({ targets: z.array(z.string()) })) }),
      ),
    });
    const { scrape_configs } = Scrapes.parse(parse(read('deploy/prometheus/prometheus.yml')));
    const targets = scrape_configs.flatMap(({ static_configs }) =>
      static_configs.flatMap((config) => config.targets),
    );
    const served = ours.flatMap(([name, { environment }]) => {
      const port = environment.METRICS_PORT ?? environment.WORKER_HEALTH_PORT;
      return port === undefined ? [] : [`${name}:${port}`];
    });
    expect(targets).toEqual(expect.arrayContaining(served));
    expect(served).toHaveLength(4);
  });

  it('the Temporal server is the version that the topology tests build', () => {
    const [, version] = /go\.temporal\.io\/server v(\S+)/.exec(
      read('test/topology/temporal-server/go.mod'),
    ) ?? ['', ''];
    expect(serviceNamed('temporal').image).toBe(`temporalio/server:${version}`);
    expect(serviceNamed('temporal-schema').image).toBe(`temporalio/admin-tools:${version}`);
  });

  it('secrets are created once and then kept', () => {
    const before = readFileSync(join(secrets, 'encryption_key'), 'utf8');
    execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [secrets]);
    expect(readFileSync(join(secrets, 'encryption_key'), 'utf8')).toBe(before);
  });

  it('a key of two halves is whole again after a run that was killed between them', () => {
    const made = (name: string) => readFileSync(join(secrets, name), 'utf8');
    const [before, vapid] = [made('statement_public_keys'), made('vapid_public_key')];
    for (const name of ['statement_signing_key', 'vapid_private_key']) rmSync(join(secrets, name));
    execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [secrets]);
    const signing = { id: 's1', key: Buffer.from(made('statement_signing_key'), 'hex') };
    const { publicKey } = createStatementKeys([signing]).current;
    // What an earlier one has signed can still be verified.
    expect(made('statement_public_keys')).toBe(`${publicKey},${before}`);
    expect(made('vapid_public_key')).toBe(publicPushKey(made('vapid_private_key')));
    expect(made('vapid_public_key')).not.toBe(vapid);
  });
});
