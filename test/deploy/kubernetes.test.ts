import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigSchema } from '../../config.ts';
import { inherited } from '../../sandbox/processes/inherited.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';
import { required } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { needs } from '../support/needs.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { buildTools, type Manifest, type PodSpec, podOf, readManifests } from './manifests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOUNTED_AT = '/run/secrets/loyalty/';
const PODS = ['loyalty-api', 'loyalty-worker', 'loyalty-migrate'];
const NGINX_PODS = ['loyalty-proxy', 'loyalty-apps'];

const folder = mkdtempSync(join(tmpdir(), 'loyalty-kubernetes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tools: ReturnType<typeof buildTools>;
let example: string;
let base: Manifest[];
let manifests: Manifest[];
beforeAll(() => {
  tools = buildTools(folder);
  example = tools.render('example');
  base = readManifests(tools.render('base'));
  manifests = readManifests(example);
}, 600_000);

/** The name of a generated ConfigMap ends in a digest of its contents. */
const configuration = (name: string) =>
  required(
    manifests.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(`${name}-`),
    ),
  );
const podLabels = (name: string) => ({ 'app.kubernetes.io/name': name });
const named = (kind: string, name: string) =>
  required(manifests.find((each) => each.kind === kind && each.metadata.name === name));

describe('the manifests', needs('go'), () => {
  it('are valid, the base and the example', () => {
    expect(tools.validate(example)).toEqual({ resources: manifests.length, problems: [] });
    expect(tools.validate(tools.render('base'))).toEqual({ resources: base.length, problems: [] });
  });

  it.each([
    ['terminationGracePeriod', 'of Kubernetes', 'terminationGrace'],
    ['backendRefs', 'of the gateway', 'backendReferences'],
    ['podMetricsEndpoints', 'of Prometheus', 'podEndpoints'],
    ['minReplicaCount', 'of KEDA', 'minReplicas'],
  ])('would be refused without the field %s %s', (field, _, unknown) => {
    const { problems } = tools.validate(example.replace(field, unknown));
    expect(problems.join()).toContain('additional properties');
  });

  it.each([...PODS, ...NGINX_PODS])('%s runs as nobody, on files that it cannot change', (name) => {
    const pod = podOf(manifests, name);
    const [{ securityContext, resources }] = pod.containers;
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: NGINX_PODS.includes(name) ? 101 : 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(resources.limits.memory).toMatch(/^\d+Mi$/);
  });

  it.each(PODS)('%s is given the secrets that it reads, and no others', (name) => {
    const pod = podOf(manifests, name);
    const [{ env }] = pod.containers;
    const read = env.flatMap(({ value }) =>
      value.startsWith(MOUNTED_AT) ? [value.slice(MOUNTED_AT.length)] : [],
    );
    const mounted = pod.volumes
      .filter((volume) => volume.name === 'secrets')
      .flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
    expect([...read].sort()).toEqual([...mounted].sort());
    const known = new Set(Object.keys(ConfigSchema.shape));
    const files = env.filter(({ value }) => value.startsWith(MOUNTED_AT));
    expect(files.filter((each) => !known.has(each.name.replace(/_FILE$/, '')))).toEqual([]);
  });

  it('reach a Temporal that asks for certificates, also for a command of an operator', () => {
    const cron = named('CronJob', 'loyalty-ops');
    const Cron = z.object({ jobTemplate: z.object({ spec: z.looseObject({}) }) });
    const job = { ...cron, spec: Cron.parse(cron.spec).jobTemplate.spec };
    const pods = ['loyalty-api', 'loyalty-worker', 'loyalty-ops'].map((name) =>
      podOf([...manifests.filter((each) => each !== cron), job], name),
    );
    for (const { containers, volumes } of pods) {
      const names = containers[0].env.map(({ name }) => name);
      expect(names).toContain('TEMPORAL_TLS_CLIENT_CERT_PATH');
      expect(volumes.map(({ name }) => name)).toContain('temporal-tls');
    }
  });

  it('read no secret that deploy/make-secrets.sh leaves out', () => {
    execFileSync(join(ROOT, 'deploy/make-secrets.sh'), [join(folder, 'made')]);
    const made = readdirSync(join(folder, 'made'));
    const keys = PODS.flatMap((name) => podOf(manifests, name).volumes)
      .filter((volume) => volume.name === 'secrets')
      .flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
    expect([...new Set(keys)].filter((key) => !made.includes(key))).toEqual([]);
  });

  it('reach the APIs through the proxy of the compose file, which keeps operators’ routes', () => {
    const { data } = configuration('loyalty-proxy');
    expect(data['nginx.conf']).toBe(readFileSync(join(ROOT, 'deploy/nginx/nginx.conf'), 'utf8'));
    const server = / server ([\w-]+)\.loyalty\.svc\.cluster\.local:(\d+) resolve /;
    const [, service = '', port] = server.exec(data['upstream.conf'] ?? '') ?? [];
    expect(named('Service', service).spec).toMatchObject({
      clusterIP: 'None',
      selector: podLabels('loyalty-api'),
      ports: [{ port: Number(port) }],
    });
    expect(podOf(manifests, 'loyalty-api').containers[0].ports).toContainEqual({
      name: 'http',
      containerPort: Number(port),
    });
  });

  it('are reached from outside by the proxy and the apps only', () => {
    const Backend = z.object({ name: z.string() });
    const Rules = z.object({ rules: z.array(z.object({ backendRefs: z.array(Backend) })) });
    const routed = manifests
      .filter(({ kind }) => kind === 'HTTPRoute')
      .flatMap(({ spec }) => Rules.parse(spec).rules)
      .flatMap(({ backendRefs }) => backendRefs.map(({ name }) => name));
    expect(routed.sort()).toEqual(['loyalty-apps', 'loyalty-proxy']);
  });

  it('call any port of any address, but not what a cloud tells its machines', () => {
    const Block = z.object({ cidr: z.string(), except: z.array(z.string()) });
    const To = z.object({ ipBlock: Block.optional() });
    const Rule = z.object({ to: z.array(To).default([]) });
    const { egress } = z
      .object({ egress: z.array(Rule) })
      .parse(named('NetworkPolicy', 'outgoing').spec);
    const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
    expect(blocks).toContainEqual({ cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] });
  });

  it('name as the first step what the migration needs', () => {
    const step = 'loyalty.example/step';
    const first = manifests.filter(({ metadata }) => metadata.labels[step] === 'first');
    expect([...new Set(first.map(({ kind }) => kind))].sort()).toEqual([
      'Job',
      'Namespace',
      'NetworkPolicy',
      'ServiceAccount',
    ]);
    expect(podOf(first, 'loyalty-migrate').containers[0].envFrom).toEqual([]);
  });

  it('keep one of each while a node is drained, and let nothing in by default', () => {
    for (const name of ['loyalty-api', 'loyalty-worker', ...NGINX_PODS]) {
      expect(named('PodDisruptionBudget', name).spec).toMatchObject({ maxUnavailable: 1 });
    }
    const scaler = (name: string) =>
      base.find(
        ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
      );
    for (const name of ['loyalty-api', 'loyalty-worker']) {
      // With one that cannot be had, an autoscaler never scales down.
      const metrics = [{ type: 'Resource' }];
      expect(scaler(name)?.spec).toMatchObject({ minReplicas: 2, metrics });
    }
    expect(named('ScaledObject', 'loyalty-worker').spec).toMatchObject({ minReplicaCount: 2 });
    expect(named('NetworkPolicy', 'deny-all').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('wait for a process longer than it takes to stop', () => {
    const { SHUTDOWN_GRACE_SECONDS } = ConfigSchema.shape;
    const grace = SHUTDOWN_GRACE_SECONDS.parse(undefined);
    const patience = (name: string) => podOf(manifests, name).terminationGracePeriodSeconds ?? 0;
    // Five seconds in which it is drained, and five for the runs of what it has stored.
    expect(patience('loyalty-api')).toBeGreaterThan(grace + 10);
    // The same time again to cancel what still runs.
    expect(patience('loyalty-worker')).toBeGreaterThan(grace * 2);
  });
});

describe('the pods, as processes', needs('go'), () => {
  const running: ServerProcess[] = [];
  afterAll(() =>
    Promise.all(running.map((each) => each.stop([{ signal: 'SIGTERM', waitMs: 45_000 }]))),
  );

  it('start with their commands, settings and secrets, and pass their probes', async () => {
    const database = await useDatabase();
    const temporal = await useTemporal();
    const issuer = await startIssuer();
    const api = await freePort();
    const secrets: Record<string, string> = {
      database_url: database.url,
      database_owner_url: database.ownerUrl,
      encryption_key: `k1:${randomBytes(32).toString('hex')}`,
      cron_secret: 'a cron secret of the manifests',
      smtp_url: 'smtp://127.0.0.1:9?insecure',
      object_store_key_id: 'key id',
      object_store_key: 'key',
    };
    // What stands for the cluster: its addresses, and ports that are free on this machine.
    const cluster = {
      HOST: '127.0.0.1',
      PORT: String(api),
      METRICS_PORT: String(await freePort()),
      WORKER_HEALTH_PORT: String(await freePort()),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      OIDC_ISSUER: issuer.url,
      ALPHA_ENVIRONMENT: 'sandbox',
      NODE_ENV: 'test',
    };
    const environment = (pod: PodSpec) => environmentOf(pod, { secrets, cluster });

    const migrate = podOf(base, 'loyalty-migrate');
    const [{ command: migration }] = migrate.containers;
    const options = { cwd: ROOT, env: environment(migrate) };
    execFileSync(process.execPath, ['--import', 'tsx', ...migration.slice(1)], options);

    for (const name of ['loyalty-api', 'loyalty-worker']) {
      const pod = podOf(base, name);
      const [container] = pod.containers;
      const server = await startServer({
        command: process.execPath,
        args: ['--import', import.meta.resolve('tsx'), ...container.command.slice(1)],
        logFile: join(folder, `${name}.log`),
        signalAtExit: 'SIGTERM',
        env: environment(pod),
      });
      running.push(server);
      const ports: Record<string, string> = {
        http: cluster.PORT,
        health: cluster.WORKER_HEALTH_PORT,
      };
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        const { path, port } = required(required(container[probe]).httpGet);
        const answer = () =>
          fetch(`http://127.0.0.1:${ports[port]}${path}`).then(({ status }) => status);
        await expect
          .poll(() => answer().catch(() => server.logTail()), { timeout: 60_000 })
          .toBe(200);
      }
    }
    await issuer.close();
  }, 180_000);
});

/** The environment of a container, with its secrets in files of this machine. */
function environmentOf(
  { containers: [container], volumes }: PodSpec,
  given: { secrets: Record<string, string>; cluster: Record<string, string> },
): Record<string, string> {
  const mounted = mkdtempSync(join(folder, 'secrets-'));
  const keys = volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
  for (const key of keys) writeFileSync(join(mounted, key), given.secrets[key] ?? '');
  const isGiven = container.envFrom.length > 0;
  const settings = isGiven ? Object.entries(configuration('loyalty-settings').data) : [];
  const own = container.env.map(
    ({ name, value }) => [name, value.replace(MOUNTED_AT, `${mounted}/`)] as const,
  );
  return {
    ...inherited(),
    ...Object.fromEntries([...settings, ...own]),
    ...given.cluster,
  };
}
