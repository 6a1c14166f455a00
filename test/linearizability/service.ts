import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Db } from '../../db/connection.ts';
import { createServiceDatabase } from '../support/database/service-database.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';
import { createProcesses, type Processes } from '../support/processes.ts';
import { startDatabase } from '../topology/database.ts';

const DATABASE = 'loyalty';
const API_PROCESSES = 2;
/** Registers ingest in this process, some sales at the same moment. */
const CONNECTIONS = 12;
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
    const postgres = await startDatabase(dir, SETTINGS);
    closers.push(() => postgres.stop());
    const restartPostgres = async () => {
      await postgres.stop();
      await postgres.start();
    };
    const databaseUrl = await createServiceDatabase(postgres, DATABASE);
    const db = connect(databaseUrl, CONNECTIONS, 'linearizability');
    closers.push(() => db.destroy());
    const superuser = connect(postgres.url(DATABASE), 1, 'linearizability');
    closers.push(() => superuser.destroy());
    const issuer = await startIssuer();
    closers.push(() => issuer.close());

    const at = {
      databaseUrl,
      temporalAddress: temporal.address,
      namespace: temporal.namespace,
      issuer: issuer.url,
      env: { ...LIMITLESS, ...NO_PROVIDER, SWEEP_INTERVAL_SECONDS: '2', LOG_LEVEL: 'info' },
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

/** Sales are reported in full: nobody has to be asked about them. */
const NO_PROVIDER = { ALPHA_ORIGIN: 'http://127.0.0.1:9' };

async function startMember(processes: Processes, service: 'api' | 'worker'): Promise<Member> {
  let running = await processes.start(service);
  return {
    kill: () => process.kill(running.pid, 'SIGKILL'),
    async start() {
      running = await processes.start(service);
    },
  };
}
