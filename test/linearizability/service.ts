import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Db } from '../../db/connection.ts';
import { migrate } from '../../db/schema/migrate.ts';
import {
  addressFor,
  ensureRoles,
  giveToOwner,
  OWNER,
  SERVICE,
} from '../../sandbox/postgres/roles.ts';
import { createDatabase, type Postgres, startPostgres } from '../../sandbox/postgres/server.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { createProcesses, type Processes } from '../support/processes.ts';

const DATABASE = 'loyalty';
const API_PROCESSES = 2;
// Without waiting for the disk, but each commit is written: a crash of the server loses nothing.
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on' };

export type Member = { kill(): void; start(): Promise<void> };

/** The whole service as processes, on a Postgres of its own that may be crashed and restarted. */
export type Service = {
  /** One address for each process of the API. */
  urls: string[];
  apis: Member[];
  worker: Member;
  db: Db;
  /** For statements about other sessions. */
  superuser: Db;
  issuer: Issuer;
  restartPostgres(): Promise<void>;
  close(): Promise<void>;
};

/** Starts two processes of the API and a worker, without rate limits. */
export async function startService(temporal: {
  address: string;
  namespace: string;
}): Promise<Service> {
  const dir = await mkdtemp(join(tmpdir(), 'loyalty-linearizability-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const dataDir = join(dir, 'postgres');
    let postgres = await startPostgres({ dataDir, settings: SETTINGS });
    closers.push(() => postgres.stop());
    const { port } = postgres;
    const restartPostgres = async () => {
      await postgres.stop();
      postgres = await startPostgres({ dataDir, settings: SETTINGS, preferredPort: port });
      if (postgres.port !== port) throw new Error(`Port ${port} was taken: run this again.`);
    };
    await prepare(postgres);
    const db = connect(addressFor(postgres, SERVICE, DATABASE), 4, 'linearizability');
    closers.push(() => db.destroy());
    const superuser = connect(postgres.url(DATABASE), 1, 'linearizability');
    closers.push(() => superuser.destroy());
    const issuer = await startIssuer();
    closers.push(() => issuer.close());

    const at = {
      databaseUrl: addressFor(postgres, SERVICE, DATABASE),
      temporalAddress: temporal.address,
      namespace: temporal.namespace,
      issuer: issuer.url,
      env: { ...LIMITLESS, SWEEP_INTERVAL_SECONDS: '2', LOG_LEVEL: 'info' },
    };
    const processes: Processes[] = [];
    for (let count = 0; count < API_PROCESSES + 1; count++) {
      const its = await createProcesses(at);
      closers.push(() => its.close());
      processes.push(its);
    }
    const members = await Promise.all(
      processes.map((its, nth) => startMember(its, nth < API_PROCESSES ? 'api' : 'worker')),
    );
    const [worker] = members.splice(API_PROCESSES);
    if (worker === undefined) throw new Error('No worker was started.');
    const urls = processes.slice(0, API_PROCESSES).map(({ apiUrl }) => apiUrl);
    return { urls, apis: members, worker, db, superuser, issuer, restartPostgres, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const LIMITLESS = {
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_LOOKUPS: '0',
  ADJUST_LIMIT_PER_DAY: '0',
};

async function prepare(postgres: Postgres): Promise<void> {
  await createDatabase(postgres, DATABASE);
  await ensureRoles(postgres);
  await giveToOwner(postgres, DATABASE);
  const owner = connect(addressFor(postgres, OWNER, DATABASE), 1, 'linearizability-migrate');
  try {
    await migrate(owner, { serviceRole: SERVICE });
  } finally {
    await owner.destroy();
  }
}

async function startMember(processes: Processes, service: 'api' | 'worker'): Promise<Member> {
  let running = await processes.start(service);
  return {
    kill: () => process.kill(running.pid, 'SIGKILL'),
    async start() {
      running = await processes.start(service);
    },
  };
}
