import { connect, type Db } from '../db/connection.ts';
import { type Program, type Server, startBenchServer, startProgram } from './programs.ts';
import type { Plan } from './sales.ts';
import { burst, type Service, untilProcessed } from './service.ts';

/** The same webhook on a database of its own, whose events a loop ingests that polls the table. */
export type WithoutEngine = {
  databaseUrl: string;
  db: Db;
  api: Server;
  loop: Program;
  /** Every plan that was sent to it, with which `verifyRun` compares the database. */
  plans: Plan[];
  /** The loop runs only while it is measured. */
  start(): void;
  pause(): void;
  stop(): Promise<void>;
};

const WARM_UP_EVENTS = 1_000;

/** Starts the webhook and the loop, and sends them a burst that is not measured. */
export async function startWithoutEngine(
  { testbed, load }: Service,
  name: string,
): Promise<WithoutEngine> {
  const databaseUrl = await testbed.database(`bench_${name}`);
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const api = await startBenchServer(testbed, 'without-temporal', databaseUrl);
  const file = new URL('./loop-main.ts', import.meta.url);
  const loop = startProgram(testbed, file, { name, args: [databaseUrl] });
  const start = () => void loop.child.send('start');
  const pause = () => void loop.child.send('stop');

  const plan = { name: 'warm', events: WARM_UP_EVENTS };
  start();
  await burst(load, api.port, plan);
  await untilProcessed(db);
  pause();
  const stop = async () => {
    await loop.stop();
    await api.stop();
  };
  return { databaseUrl, db, api, loop, plans: [plan], start, pause, stop };
}
