import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Db } from '../../db/connection.ts';
import { startMailSink } from '../../sandbox/mail/sink.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startService } from '../../sandbox/processes/service.ts';
import { ensureTemporalCli } from '../../sandbox/temporal/cli.ts';
import { startTemporal, type TemporalServer } from '../../sandbox/temporal/server.ts';
import { createServiceDatabase } from '../support/database/service-database.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import { type Providers, startProviders } from '../support/providers/chaotic-shop.ts';
import { runOpsHere } from '../support/run-ops.ts';
import { startDatabase } from '../topology/database.ts';
import { clockAhead } from './clock.ts';
import { type Network, startNetwork } from './network.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { shortenMonths } from './short-months.ts';
import type { Policies, Provider } from './steps.ts';

/** A server that can be killed, stopped and started again at the same address. */
export type Server = {
  pid(): number;
  kill(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** An API or a worker, whose clock may be wrong. */
export type ServiceProcess = Server & {
  /** Starts it again with a clock that is ahead, or behind if less than 0, from now on. */
  moveClock(aheadMs: number): Promise<void>;
};

/** The clock of both providers. */
export type ProviderClock = {
  move(aheadMs: number): void;
  /** When it was last behind, by the clock of this machine. */
  behindAt(): number;
  /** The latest time that it has ever shown. */
  latest(): number;
  /** Whether it is right, so that its times can be compared with those of the database. */
  isRight(): boolean;
};

/** Where a deployment writes down what it does. */
export type Writings = {
  /** The logs of the processes and of Postgres, and the folder of all mails. */
  logs: readonly string[];
  mails: string;
  metrics: readonly { name: string; url: string }[];
  temporal: { address: string; namespace: string };
  /** The settings of the processes, with their secrets. */
  env: NodeJS.ProcessEnv;
};

export type Deployment = {
  /** The addresses of the APIs, the first of which gets the webhooks. */
  urls: readonly string[];
  db: Db;
  databaseUrl: string;
  issuer: Issuer;
  providers: Providers;
  providerClock: ProviderClock;
  /** Where shops have their events sent to. */
  receiver: Receiver;
  mails: PostOffice;
  networks: readonly Network[];
  apis: readonly ServiceProcess[];
  workers: readonly ServiceProcess[];
  temporal: Server;
  postgres: Server;
  cronSecret: string;
  secrets: Secrets;
  writings: Writings;
  /** Has a new key seal, as operators do: each process can open what any other seals. */
  turnKeys(): Promise<void>;
  /** Starts the processes again with other policies. */
  changePolicies(policies: Policies): Promise<void>;
  close(): Promise<void>;
};

export const ADMIN_EMAIL = 'admin@staff.example';
const NAMESPACE = 'loyalty-simulation';
const DATABASE = 'loyalty_simulation';

/** Settings that make the service look often, since a simulation does not wait for minutes. */
const ENV = {
  SWEEP_INTERVAL_SECONDS: '1',
  // Cron polls where a webhook was lost. Polls read again what was told, which hides defects.
  ALPHA_POLL_INTERVAL_SECONDS: '60',
  ALPHA_BACKUP_POLL_INTERVAL_SECONDS: '60',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_LOOKUPS: '0',
  RATE_LIMIT_WEBHOOKS: '0',
  ADJUST_LIMIT_PER_DAY: '0',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
  BOOTSTRAP_ADMIN_EMAILS: ADMIN_EMAIL,
  LOG_LEVEL: 'debug',
};

/** Starts Postgres, Temporal, both providers, and as many APIs and workers as asked for. */
export async function startDeployment(options: {
  seed: number;
  replicas: number;
  policies: Policies;
  report: (line: string) => void;
}): Promise<Deployment> {
  const cleanUps: Array<() => Promise<unknown>> = [];
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    return { ...(await setUp(options, (cleanUp) => cleanUps.push(cleanUp))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type OnClose = (cleanUp: () => Promise<unknown>) => void;

async function setUp(
  { seed, replicas, policies, report }: Parameters<typeof startDeployment>[0],
  onClose: OnClose,
): Promise<Omit<Deployment, 'close'>> {
  const servers = await startServers(report, onClose);
  const { folder, databaseUrl, temporal, issuer, mail, postgres } = servers;
  const first = await createProcesses({
    databaseUrl,
    temporalAddress: temporal.address,
    namespace: NAMESPACE,
    issuer: issuer.url,
    env: { ...ENV, ...environmentOf(policies), ...(await ports()), SMTP_URL: mail.smtpUrl },
  });
  onClose(() => first.close());
  const secrets = createSecrets();
  const providerClock = createProviderClock();
  const providers = await startProviders(first, seed, providerClock.now);
  onClose(() => providers.close());
  const receiver = await startReceiver(seed);
  onClose(() => receiver.close());
  const networks = await networksOf(first, providers, secrets);
  for (const network of networks) onClose(() => network.close());
  const all = [first];
  for (let nth = 1; nth < replicas; nth++) all.push(await replicaOf(first, databaseUrl));
  for (const each of all.slice(1)) onClose(() => each.close());

  const apis = all.map((each) => serverOf(each, 'api'));
  const workers = all.map((each) => serverOf(each, 'worker'));
  for (const server of [...workers, ...apis]) {
    onClose(() => server.stop());
    await server.start();
  }
  const db = connect(databaseUrl, 8, 'loyalty-simulation');
  onClose(() => db.destroy());
  return {
    urls: all.map(({ apiUrl }) => apiUrl),
    db,
    databaseUrl,
    issuer,
    providers,
    providerClock,
    receiver,
    mails: openPostOffice(join(folder, MAILS)),
    networks,
    apis,
    workers,
    temporal,
    secrets,
    postgres: { ...postgres, pid: () => postgres.pid() },
    cronSecret: first.env.CRON_SECRET ?? '',
    writings: {
      logs: [...all.flatMap(logsOf), join(folder, 'postgres.log')],
      mails: join(folder, MAILS),
      metrics: all.flatMap(metricsOf),
      temporal: { address: temporal.address, namespace: NAMESPACE },
      env: first.env,
    },
    async turnKeys() {
      const before = first.env.ENCRYPTION_KEY ?? '';
      const old = before.includes(':') ? before : `k1:${before}`;
      const added = `k${old.split(',').length + 1}:${randomBytes(32).toString('hex')}`;
      for (const ring of [`${old},${added}`, `${added},${old}`]) {
        for (const { env } of all) env.ENCRYPTION_KEY = ring;
        for (const server of [...workers, ...apis]) {
          await server.stop();
          await server.start();
        }
      }
      const { status, out, err } = await runOpsHere(['rotate-keys'], first.env);
      if (status !== 0) throw new Error(`Keys were not rotated: ${out}${err}`);
    },
    async changePolicies(next) {
      for (const { env } of all) Object.assign(env, environmentOf(next));
      for (const server of [...apis, ...workers]) await server.stop();
      for (const server of [...workers, ...apis]) await server.start();
    },
  };
}

const MAILS = 'mail';

/** Starts what the service uses. */
async function startServers(report: (line: string) => void, onClose: OnClose) {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-simulation-'));
  onClose(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const postgres = await startDatabase(folder);
  onClose(() => postgres.stop());
  const databaseUrl = await createServiceDatabase(postgres, DATABASE);
  await shortenMonths(postgres, DATABASE);
  const temporal = await startTemporalServer(folder, { namespace: NAMESPACE, report });
  onClose(() => temporal.stop());
  const issuer = await startIssuer();
  onClose(() => issuer.close());
  const mail = await startMailSink({ port: 0, webPort: 0, dir: join(folder, MAILS) });
  onClose(() => mail.stop());
  return { folder, postgres, databaseUrl, temporal, issuer, mail };
}

function environmentOf({ expiredCodes, refunds }: Policies): Record<string, string> {
  return { EXPIRED_CODES: expiredCodes, PAYMENT_REFUNDS: refunds };
}

/** Where the API and the worker serve their metrics. */
async function ports(): Promise<Record<string, string>> {
  const [METRICS_PORT, WORKER_HEALTH_PORT] = [String(await freePort()), String(await freePort())];
  return { METRICS_PORT, WORKER_HEALTH_PORT };
}

function metricsOf({ env }: Processes): Writings['metrics'] {
  return [
    { name: 'an API', url: `http://127.0.0.1:${env.METRICS_PORT}/metrics` },
    { name: 'a worker', url: `http://127.0.0.1:${env.WORKER_HEALTH_PORT}/metrics` },
  ];
}

function logsOf({ dir }: Processes): string[] {
  return ['api.log', 'worker.log'].map((name) => join(dir, 'logs', name));
}

function createProviderClock(): ProviderClock & { now(): Date } {
  let aheadMs = 0;
  let behindAt = Number.NEGATIVE_INFINITY;
  let shown = Number.NEGATIVE_INFINITY;
  const isBehind = () => aheadMs < 0;
  const latest = () => Math.max(shown, Date.now() + aheadMs);
  return {
    now: () => new Date(Date.now() + aheadMs),
    move(ms) {
      if (isBehind()) behindAt = Date.now();
      shown = latest();
      aheadMs = ms;
    },
    behindAt: () => (isBehind() ? Date.now() : behindAt),
    latest,
    isRight: () => aheadMs === 0,
  };
}

const ORIGINS: Record<Provider, readonly string[]> = {
  alpha: ['ALPHA_ORIGIN'],
  beta: ['BETA_WEB_ORIGIN', 'BETA_API_ORIGIN'],
};

/** Puts a network between the service and each provider. */
async function networksOf(
  { env }: Processes,
  providers: Providers,
  secrets: Secrets,
): Promise<Network[]> {
  const networks: Network[] = [];
  for (const provider of ['alpha', 'beta'] as const) {
    const network = await startNetwork(providers[provider].url, secrets.hear);
    for (const name of ORIGINS[provider]) env[name] = network.url;
    networks.push(network);
  }
  return networks;
}

/** A Temporal server that keeps its address and its data. */
export async function startTemporalServer(
  folder: string,
  { namespace, report }: { namespace: string; report: (line: string) => void },
): Promise<Server & { address: string }> {
  const { path: cli } = await ensureTemporalCli(report);
  const options = { cli, namespace, dbFile: join(folder, 'temporal.db'), ui: false };
  let running: TemporalServer | undefined = await startTemporal(options);
  const { address } = running;
  const preferredPort = Number(address.split(':')[1]);
  const stop = async () => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  return {
    address,
    stop,
    kill: stop,
    async start() {
      running ??= await startTemporal({ ...options, preferredPort });
      if (running.address !== address) throw new Error(`${address} was taken: run this again`);
    },
    pid() {
      if (running?.pid === undefined) throw new Error('Temporal is not running');
      return running.pid;
    },
  };
}

/** Another API and another worker of the same deployment. */
async function replicaOf(first: Processes, databaseUrl: string): Promise<Processes> {
  const { PORT: _, ...env } = { ...first.env, ...(await ports()) };
  const shared = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return createProcesses({
    databaseUrl,
    temporalAddress: env.TEMPORAL_ADDRESS ?? '',
    namespace: NAMESPACE,
    env: Object.fromEntries(shared),
  });
}

function serverOf({ dir, env }: Processes, service: 'api' | 'worker'): ServiceProcess {
  let running: Awaited<ReturnType<typeof startService>> | undefined;
  let clock: Record<string, string> = {};
  const start = async () => {
    running ??= await startService({ service, dir, env: { ...env, ...clock } });
  };
  const stop = async () => {
    const ending = running;
    running = undefined;
    await ending?.end();
  };
  return {
    start,
    stop,
    async moveClock(aheadMs) {
      await stop();
      clock = clockAhead(aheadMs);
      await start();
    },
    pid() {
      if (running === undefined) throw new Error(`The ${service} is not running`);
      return running.pid;
    },
    async kill() {
      const killed = running;
      running = undefined;
      if (killed === undefined) return;
      process.kill(killed.pid, 'SIGKILL');
      await killed.exited;
    },
  };
}
