import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { startDiscardingMailServer } from '../../bench/discarding-mail-server.ts';
import { type Ground, startApi, startWorker } from '../../bench/programs.ts';
import { NAMESPACE } from '../../bench/settings.ts';
import { connect, type Db } from '../../db/connection.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startTemporalServer } from '../simulation/deployment.ts';
import { createServiceDatabase } from '../support/database/service-database.ts';
import { testKeys } from '../support/factories.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { SIGNATURE_KEY } from '../support/processes.ts';
import { type Providers, startProviders } from '../support/providers/chaotic-shop.ts';
import { startDatabase } from '../topology/database.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

export const PROCESSES = ['api', 'worker', 'temporal', 'postgres'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** A process that is started again at the same address. */
export type Member = {
  /** Undefined while it does not run. */
  pid(): number | undefined;
  /** How many times it has been started. */
  lives(): number;
  start(): Promise<void>;
  /** Kills the API or the worker; stops a server. */
  end(): Promise<void>;
};

export type Deployment = {
  /** The address of the service: that of the proxy. */
  url: string;
  proxy: RecordingProxy;
  members: Readonly<Record<ProcessName, Member>>;
  /** As the service. */
  db: Db;
  /** For what the service may not see or do. */
  superuser: Db;
  issuer: Issuer;
  providers: Providers;
  temporal: Client;
};

const DATABASE = 'loyalty_soak';

/**
 * Starts what production runs, on servers of its own: an API behind a proxy and a worker, with the
 * heaps of their containers and on the Node and loader of this process, PostgreSQL with its safe
 * settings, and Temporal. Both providers, sign-in and mail are simulated in this process.
 */
export async function startDeployment(
  on: Pick<Ground, 'fail' | 'onClose'>,
  options: { seed: number; sweepSeconds: number; say: (line: string) => void },
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-soak-'));
  const { onClose } = on;
  onClose(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const postgres = await startDatabase(folder);
  onClose(() => postgres.stop());
  const databaseUrl = await createServiceDatabase(postgres, DATABASE);
  const server = await startTemporalServer(folder, { namespace: NAMESPACE, report: options.say });
  onClose(() => server.stop());
  const issuer = await startIssuer();
  onClose(() => issuer.close());

  const port = await freePort();
  const proxy = await startRecordingProxy(port);
  onClose(() => proxy.stop());
  const env: Record<string, string> = {
    API_BASE_URL: proxy.url,
    FRONTEND_URL: proxy.url,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'loyalty-api',
    ENCRYPTION_KEY: Buffer.from(testKeys[0]?.key ?? []).toString('hex'),
    ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY,
    SMTP_URL: await startDiscardingMailServer(on),
    OBJECT_STORE_URL: pathToFileURL(join(folder, 'objects')).href,
    SWEEP_INTERVAL_SECONDS: String(options.sweepSeconds),
    NODE_ENV: 'test',
  };
  const providers = await startProviders({ apiUrl: proxy.url, env }, options.seed);
  onClose(() => providers.close());

  const at = { databaseUrl, temporalAddress: server.address, env };
  const ground = { ...on, folder };
  const api = memberOf((life) => startApi(ground, { ...at, port, name: `api-${life}` }));
  const worker = memberOf((life) => startWorker(ground, { ...at, name: `worker-${life}` }));
  // They have groups of their own, and would outlive a failure that nothing here catches.
  process.once('exit', () => {
    for (const pid of [api.pid(), worker.pid()]) kill(pid);
  });
  await worker.start();
  await api.start();

  const db = connect(databaseUrl, 4, 'soak');
  onClose(() => db.destroy());
  const superuser = connect(postgres.url(DATABASE), 4, 'soak', 0);
  onClose(() => superuser.destroy());
  const connection = await Connection.connect({ address: server.address });
  onClose(() => connection.close());
  return {
    url: proxy.url,
    proxy,
    members: { api, worker, temporal: serverMember(server), postgres: serverMember(postgres) },
    db,
    superuser,
    issuer,
    providers,
    temporal: new Client({ connection, namespace: NAMESPACE }),
  };
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

type Running = { pid: number; kill(): Promise<void> };

/** A member whose launches are told which of its lives begins. */
function memberOf(launch: (life: number) => Promise<Running>): Member {
  let running: Running | undefined;
  let lives = 0;
  return {
    pid: () => running?.pid,
    lives: () => lives,
    async start() {
      lives += 1;
      running = await launch(lives);
    },
    async end() {
      const ending = running;
      running = undefined;
      await ending?.kill();
    },
  };
}

type RunningServer = { pid(): number; start(): Promise<void>; stop(): Promise<void> };

/** A member that already runs. */
function serverMember(server: RunningServer): Member {
  let lives = 1;
  let isUp = true;
  return {
    pid: () => (isUp ? server.pid() : undefined),
    lives: () => lives,
    async start() {
      await server.start();
      lives += 1;
      isUp = true;
    },
    async end() {
      isUp = false;
      await server.stop();
    },
  };
}
