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
import { ENGINE_NAMES, type Kind, type Part } from './figures.ts';
import type { JobSize, Setting } from './job-engine.ts';
import type { Redis } from './redis.ts';

/** What is measured: an engine with one setting, on a database of its own. */
export type Contender = {
  /** The engine's name in the JSON, and its name for people. */
  engine: string;
  name: string;
  kind: Kind;
  databaseUrl: string;
  db: Db;
  /** Every plan that was sent to it. */
  plans: Plan[];
  /** Starts its processes, whose logs begin with this name. They run only while it is measured. */
  start(logName: string): Promise<Running>;
};

/** The processes of a contender. */
export type Running = {
  port: number;
  /** The processes whose processor time is measured. */
  processes: ReadonlyArray<readonly [Part, number]>;
  stop(): Promise<void>;
};

/** Our service through Temporal, as it runs in production. */
export async function ours(testbed: Testbed): Promise<Contender> {
  const temporal = await testbed.temporal();
  return contender(testbed, { engine: 'temporal', kind: 'ours' }, async (databaseUrl, name) => {
    const options = { databaseUrl, temporalAddress: temporal.address };
    const worker = await startWorker(testbed, { ...options, name: `${name}-worker` });
    const api = await startApi(testbed, { ...options, name: `${name}-api` });
    return running(testbed, { api, worker, server: temporal });
  });
}

/** The same webhook and ingestion with a loop that polls the table in place of an engine. */
export async function loop(testbed: Testbed): Promise<Contender> {
  const own = { engine: 'loop', kind: 'loop' } as const;
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
  { engine }: Peer,
  { jobSize, redis }: { jobSize: JobSize; redis: Redis | undefined },
): Promise<Contender> {
  return contender(testbed, { engine, kind: jobSize }, async (databaseUrl, name) => {
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
    return running(testbed, { api: await listening(api, port), worker, server: redis });
  });
}

async function contender(
  testbed: Testbed,
  { engine, kind }: Pick<Contender, 'engine' | 'kind'>,
  start: (databaseUrl: string, logName: string) => Promise<Running>,
): Promise<Contender> {
  const databaseUrl = await testbed.database(`bench_${engine.replaceAll('-', '_')}_${kind}`);
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  return {
    engine,
    name: ENGINE_NAMES.get(engine) ?? engine,
    kind,
    databaseUrl,
    db,
    plans: [],
    start: (logName) => start(databaseUrl, logName),
  };
}

type Processes = { api: Server; worker: Program; server?: { pid: number } | undefined };

function running({ postgresPid }: Testbed, { api, worker, server }: Processes): Running {
  return {
    port: api.port,
    processes: [
      ['api', api.pid],
      ['worker', worker.pid],
      ...(server ? [['server', server.pid] as const] : []),
      ['postgres', postgresPid],
    ],
    async stop() {
      await api.stop();
      await worker.stop();
    },
  };
}
