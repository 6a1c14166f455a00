import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { populate } from '../../bench/population.ts';
import { connect, type Db } from '../../db/connection.ts';
import {
  addressFor,
  ensureRoles,
  giveToOwner,
  OWNER,
  SERVICE,
} from '../../sandbox/postgres/roles.ts';
import { createDatabase } from '../../sandbox/postgres/server.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startService } from '../../sandbox/processes/service.ts';
import { startPgBouncer } from '../foreign/pgbouncer.ts';
import { ensurePgBouncer } from '../foreign/programs.ts';
import { ROOT } from '../sabotage/patches.ts';
import { type Database, startDatabase } from './database.ts';
import { type ExternalServices, startExternalServices } from './external-services.ts';
import { type Member, serviceMember } from './member.ts';
import { startProxy } from './proxy.ts';
import { startTemporalCluster } from './temporal-cluster.ts';

export type Topology = Omit<ExternalServices, 'env'> & {
  /** The address of the proxy, which clients use. */
  url: string;
  port: number;
  /** Where its files are, and the settings of its processes. */
  folder: string;
  env: Record<string, string>;
  /** The database, with the role of the service. */
  db: Db;
  apis: readonly [Member, Member];
  /** The ports at which the proxy looks for APIs. */
  apiPorts: readonly [number, number];
  workers: readonly [Member, Member];
  temporal: Member & { address: string };
  postgres: Database;
  /** Runs `npm run migrate`, and returns what it prints; throws unless it succeeds. */
  migrate(): Promise<string>;
  /** Runs `npm run verify` and returns its exit status and its output. */
  verify(): Promise<{ status: number; text: string }>;
  /** Returns why processes exited unexpectedly. */
  faults(): string[];
  close(): Promise<void>;
};

export type TopologyOptions = {
  /** More settings of the processes. */
  settings?: Record<string, string>;
  /** Whether a pooler is between the processes and PostgreSQL, which gives connections away. */
  hasPooler?: boolean;
};

const ENCRYPTION_KEY = '00112233445566778899aabbccddeeff'.repeat(2);
const ADMIN_DOMAIN = 'loyalty.example';
const NAMESPACE = 'loyalty';
const DATABASE = 'loyalty';

/**
 * Starts what the compose file describes, without containers: PostgreSQL with an owner and a
 * service role, a Temporal server on a separate PostgreSQL, two APIs behind nginx, and two workers.
 * External services are simulated. `close` stops all of it.
 */
export async function startTopology(options: TopologyOptions = {}): Promise<Topology> {
  const cleanUps: Array<() => Promise<void>> = [];
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(1)));
  }
  try {
    return { ...(await setUp(options, (cleanUp) => cleanUps.push(cleanUp))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function setUp(
  { settings = {}, hasPooler = false }: TopologyOptions,
  onClose: (cleanUp: () => Promise<void>) => void,
): Promise<Omit<Topology, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-topology-'));
  onClose(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const postgres = await startDatabase(folder);
  onClose(() => postgres.stop());
  await createDatabase(postgres, DATABASE);
  await ensureRoles(postgres);
  await giveToOwner(postgres, DATABASE);
  const urls = {
    DATABASE_OWNER_URL: addressFor(postgres, OWNER, DATABASE),
    DATABASE_URL: addressFor(postgres, SERVICE, DATABASE),
  };
  const temporal = await startTemporalCluster(folder, NAMESPACE, log);
  onClose(temporal.close);

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { env: known, ...outside } = await startExternalServices(folder, url, onClose);
  const env = {
    ...environment({ url, folder }),
    ...temporal.env,
    ...known,
    ...urls,
    ...(hasPooler ? await startPooler(folder, urls.DATABASE_URL, onClose) : {}),
    ...settings,
  };
  const migrate = () => migrateBy(ROOT, env);
  await migrate();
  await populate(urls.DATABASE_OWNER_URL);
  const db = connect(urls.DATABASE_URL, 4, 'loyalty-topology');
  onClose(() => db.destroy());
  // The generated users must belong to the issuer of this topology.
  await db('users').update({ iss: outside.issuer.url });

  const apiPorts = [await freePort(), await freePort()] as const;
  const at = { folder, env, startService };
  const api = (nth: 0 | 1) => serviceMember(at, `api-${nth + 1}`, apiPorts[nth]);
  const apis = [api(0), api(1)] as const;
  const workers = [serviceMember(at, 'worker-1'), serviceMember(at, 'worker-2')] as const;
  const members = [...apis, ...workers];
  onClose(async () => void (await Promise.all(members.map((each) => each.stop()))));
  for (const each of members) await each.start();
  const proxy = await startProxy({ oneAddress: true, folder, port, apiPorts });
  onClose(proxy.stop);
  return {
    url,
    port,
    folder,
    env,
    db,
    apis,
    apiPorts,
    workers,
    temporal,
    postgres,
    ...outside,
    migrate,
    // With a connection of its own, as what is migrated.
    verify: () => run('ops/verify.ts', { ...env, ...urls }),
    faults: () => [...members, proxy, temporal].flatMap((each) => each.fault() ?? []),
  };
}

/** Half of what the processes would open by themselves. */
const POOL_SIZE = 20;

/** Starts PgBouncer, and returns the addresses of the database behind it. */
async function startPooler(
  folder: string,
  databaseUrl: string,
  onClose: (cleanUp: () => Promise<void>) => void,
): Promise<Record<string, string>> {
  const found = await ensurePgBouncer();
  if ('missing' in found) throw new Error(`The scenario needs ${found.missing}`);
  const own = join(folder, 'pooler');
  await mkdir(own);
  await chmod(folder, 0o755);
  const pooler = await startPgBouncer(found.path, own, databaseUrl, POOL_SIZE);
  onClose(pooler.stop);
  return { DATABASE_URL: pooler.urlOf(databaseUrl), DATABASE_LISTEN_URL: databaseUrl };
}

function environment(at: { url: string; folder: string }): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    HOST: '127.0.0.1',
    API_BASE_URL: at.url,
    FRONTEND_URL: at.url,
    ADMIN_EMAIL_DOMAIN: ADMIN_DOMAIN,
    ENCRYPTION_KEY,
    CRON_SECRET: 'the cron secret of the topology',
    // The simulated provider does not know the generated merchants, so polls would fail.
    ALPHA_POLL_INTERVAL_SECONDS: '86400',
    SWEEP_INTERVAL_SECONDS: '3',
    OBJECT_STORE_URL: pathToFileURL(join(at.folder, 'objects')).href,
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_LOOKUPS: '0',
    RATE_LIMIT_WEBHOOKS: '0',
    // API and worker log at this level that they are ready.
    LOG_LEVEL: 'info',
    NODE_ENV: 'test',
  };
}

/** Runs `npm run migrate` of the sources in a folder, and returns what it prints. */
export async function migrateBy(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { status, text } = await run('db/migrate-main.ts', env, root);
  if (status !== 0) throw new Error(`The migrations failed:\n${text}`);
  return text;
}

const execute = promisify(execFile);

/** Runs one of our commands and waits for its end. */
async function run(
  file: string,
  env: NodeJS.ProcessEnv,
  cwd = ROOT,
): Promise<{ status: number; text: string }> {
  try {
    const { stdout, stderr } = await execute(process.execPath, ['--import', 'tsx', file], {
      cwd,
      env,
    });
    return { status: 0, text: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const text = 'stdout' in error ? String(error.stdout) : '';
    return { status: Number(error.code), text: `${text}\n${error.message}` };
  }
}

/** Prints a line of progress to stderr. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
