import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createDatabase, type Postgres, startPostgres } from '../../sandbox/postgres/server.ts';
import { inherited } from '../../sandbox/processes/inherited.ts';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';
import { prepareNamespace } from '../../sandbox/temporal/namespace.ts';
import { type Certificates, makeCertificates, SERVER_NAME, tlsOf } from './certificates.ts';
import { createMember, type Member } from './member.ts';
import { ensureTemporalServer, type TemporalPrograms } from './temporal-programs.ts';

export type TemporalCluster = Member & {
  address: string;
  /** The settings with which the service reaches it. */
  env: Record<string, string>;
  close(): Promise<void>;
};

const READY_WITHIN_MS = 120_000;
const SERVICES = ['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'] as const;
const STORES = [
  ['temporal', 'temporal'],
  ['temporal_visibility', 'visibility'],
] as const;
const DYNAMIC_CONFIG = fileURLToPath(
  new URL('../../deploy/temporal/dynamicconfig.yaml', import.meta.url),
);

const execute = promisify(execFile);

/**
 * Starts the Temporal server on a separate PostgreSQL, as the compose file does, and waits until
 * its namespace exists. As a hosted one would, it speaks TLS with a certificate of a private
 * authority, and asks for one of its clients. It keeps its address and its data across restarts.
 */
export async function startTemporalCluster(
  folder: string,
  namespace: string,
  report: (line: string) => void,
): Promise<TemporalCluster> {
  const programs = await ensureTemporalServer(report);
  const postgres = await startPostgres({ dataDir: join(folder, 'temporal-postgres') });
  try {
    for (const [database, schema] of STORES) {
      await createDatabase(postgres, database);
      await createTables(programs, postgres, { database, schema });
    }
    const certificates = await makeCertificates(join(folder, 'certificates'));
    const env = await environment(postgres, certificates);
    const address = `127.0.0.1:${env.FRONTEND_GRPC_PORT}`;
    const tls = await tlsOf(certificates);
    const member = createMember('temporal', async () => {
      const server = await startServer({
        command: programs.server,
        args: ['--allow-no-auth', 'start'],
        logFile: join(folder, 'temporal.log'),
        signalAtExit: 'SIGKILL',
        env,
      });
      await untilReady(server, address, () => prepareNamespace(address, namespace, undefined, tls));
      return server;
    });
    await member.start();
    return {
      ...member,
      address,
      env: {
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificates.authority,
        TEMPORAL_TLS_CLIENT_CERT_PATH: certificates.client.cert,
        TEMPORAL_TLS_CLIENT_KEY_PATH: certificates.client.key,
      },
      async close() {
        await member.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function createTables(
  { sqlTool }: TemporalPrograms,
  postgres: Postgres,
  { database, schema }: { database: string; schema: string },
): Promise<void> {
  const { port, username, password } = new URL(postgres.url(database));
  const at = ['--plugin', 'postgres12_pgx', '--ep', '127.0.0.1', '-p', port, '-u', username];
  const env = { ...inherited(), SQL_PASSWORD: password };
  const run = (...args: string[]) => execute(sqlTool, [...at, '--db', database, ...args], { env });
  await run('setup-schema', '-v', '0.0');
  await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

/** Builds the environment that the server's built-in configuration reads, like its image's. */
async function environment(
  postgres: Postgres,
  { authority, server }: Certificates,
): Promise<Record<string, string>> {
  const { port, username, password } = new URL(postgres.url('temporal'));
  const ports: Record<string, string> = {};
  for (const service of SERVICES) {
    ports[`${service}_GRPC_PORT`] = String(await lowPort());
    ports[`${service}_MEMBERSHIP_PORT`] = String(await lowPort());
  }
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DB: 'postgres12_pgx',
    POSTGRES_SEEDS: '127.0.0.1',
    DB_PORT: port,
    POSTGRES_USER: username,
    POSTGRES_PWD: password,
    DBNAME: 'temporal',
    VISIBILITY_DBNAME: 'temporal_visibility',
    BIND_ON_IP: '127.0.0.1',
    FRONTEND_HTTP_PORT: String(await freePort()),
    DYNAMIC_CONFIG_FILE_PATH: DYNAMIC_CONFIG,
    LOG_LEVEL: 'warn',
    TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: 'true',
    TEMPORAL_TLS_SERVER_CA_CERT: authority,
    TEMPORAL_TLS_SERVER_CERT: server.cert,
    TEMPORAL_TLS_SERVER_KEY: server.key,
    TEMPORAL_TLS_FRONTEND_CERT: server.cert,
    TEMPORAL_TLS_FRONTEND_KEY: server.key,
    // Its configuration names two authorities of clients, so that one can replace the other.
    TEMPORAL_TLS_CLIENT1_CA_CERT: authority,
    TEMPORAL_TLS_CLIENT2_CA_CERT: authority,
    TEMPORAL_TLS_INTERNODE_SERVER_NAME: SERVER_NAME,
    TEMPORAL_TLS_FRONTEND_SERVER_NAME: SERVER_NAME,
    ...ports,
  };
}

/** Finds a port below 32,768: the server stores its ports as signed 16-bit integers. */
async function lowPort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(10_000, 32_768);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}

async function untilReady(
  server: ServerProcess,
  address: string,
  prepare: () => Promise<void>,
): Promise<void> {
  const port = Number(address.split(':')[1]);
  let ended: string | undefined;
  void server.exited.then((reason) => {
    ended = reason;
  });
  let last: unknown;
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    if (ended !== undefined) break;
    if (!(await isListening(port))) continue;
    try {
      await prepare();
      return;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`Temporal is not ready (${ended ?? last}):\n${server.logTail()}`);
}
