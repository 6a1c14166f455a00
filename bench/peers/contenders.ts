import { connect, type Db } from '../../db/connection.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import {
  listening,
  messageFrom,
  type Program,
  type Server,
  startApi,
  startBenchServer,
  startProgram,
  startWorker,
} from '../programs.ts';
import type { Plan } from '../sales.ts';
import type { Testbed } from '../testbed.ts';
import type { Peer } from './engines.ts';
import type { JobSize, Setting } from './job-engine.ts';
import type { Redis } from './redis.ts';

/** What is measured: an engine with its setting, on a database of its own. */
export type Contender = {
  name: string;
  /** What a job holds; `runs` of our service and the polling loop hold whatever has gathered. */
  kind: 'ours' | 'loop' | JobSize;
  databaseUrl: string;
  db: Db;
  /** Every plan that was sent to it. */
  plans: Plan[];
  /** Starts its processes, which run only while it is measured. The name is that of their logs. */
  start(logName: string): Promise<Running>;
};

/** The processes of a contender. */
export type Running = {
  port: number;
  /** The processes whose processor time is measured, each by its part. */
  processes: ReadonlyArray<readonly [Part, number]>;
  stop(): Promise<void>;
};

export const PARTS = ['API', 'worker', 'engine', 'Postgres'] as const;
export type Part = (typeof PARTS)[number];

/** Our service through Temporal, as it runs in production. */
export async function ours(testbed: Testbed): Promise<Contender> {
  const temporal = await testbed.temporal();
  return contender(testbed, { name: 'ours, Temporal', kind: 'ours' }, async (databaseUrl, name) => {
    const options = { databaseUrl, temporalAddress: temporal.address };
    const worker = await startWorker(testbed, { ...options, name: `${name}-worker` });
    const api = await startApi(testbed, { ...options, name: `${name}-api` });
    return running(testbed, { api, worker, engine: temporal });
  });
}

/** The same webhook and ingestion with a loop that polls the table in place of an engine. */
export async function loop(testbed: Testbed): Promise<Contender> {
  const own = { name: 'loop, no engine', kind: 'loop' } as const;
  return contender(testbed, own, async (databaseUrl, name) => {
    const api = await startBenchServer(testbed, 'without-temporal', databaseUrl);
    const file = new URL('../loop-main.ts', import.meta.url);
    const worker = startProgram(testbed, file, { name: `${name}-worker`, args: [databaseUrl] });
    worker.child.send('start');
    return running(testbed, { api, worker });
  });
}

/** The same webhook and ingestion through the jobs of a peer. */
export async function throughPeer(
  testbed: Testbed,
  { name: engine }: Peer,
  { jobSize, redis }: { jobSize: JobSize; redis: Redis | undefined },
): Promise<Contender> {
  return contender(testbed, { name: engine, kind: jobSize }, async (databaseUrl, name) => {
    const setting: Setting = { engine, jobSize, databaseUrl, redisPort: redis?.port ?? 0 };
    const args = [JSON.stringify(setting)];
    const file = new URL('./worker-main.ts', import.meta.url);
    const worker = startProgram(testbed, file, { name: `${name}-worker`, args });
    await messageFrom(worker);
    const port = await freePort();
    const server = new URL('../server-main.ts', import.meta.url);
    const api = startProgram(testbed, server, {
      name: `${name}-api`,
      args: ['queued', String(port), databaseUrl, ...args],
    });
    return running(testbed, { api: await listening(api, port), worker, engine: redis });
  });
}

async function contender(
  testbed: Testbed,
  { name, kind }: Pick<Contender, 'name' | 'kind'>,
  start: (databaseUrl: string, logName: string) => Promise<Running>,
): Promise<Contender> {
  const words = `${name} ${kind}`.toLowerCase().match(/[a-z]+/g) ?? [];
  const databaseUrl = await testbed.database(`bench_peer_${words.join('_')}`);
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  return { name, kind, databaseUrl, db, plans: [], start: (log) => start(databaseUrl, log) };
}

function running(
  { postgresPid }: Testbed,
  { api, worker, engine }: { api: Server; worker: Program; engine?: { pid: number } | undefined },
): Running {
  return {
    port: api.port,
    processes: [
      ['API', api.pid],
      ['worker', worker.pid],
      ...(engine ? [['engine', engine.pid] as const] : []),
      ['Postgres', postgresPid],
    ],
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
}
