import { join } from 'node:path';
import { type Postgres, startPostgres } from '../../sandbox/postgres/server.ts';
import type { Member } from './member.ts';

export type Database = Member & Pick<Postgres, 'url'>;

/** Starts a PostgreSQL that keeps its address and its data however often it is restarted. */
export async function startDatabase(folder: string): Promise<Database> {
  const dataDir = join(folder, 'postgres');
  const settings = { fsync: 'on', synchronous_commit: 'on' };
  let running: Postgres | undefined = await startPostgres({ dataDir, settings });
  const { port, url } = running;
  const stop = async () => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  return {
    name: 'postgres',
    url,
    async start() {
      running ??= await startPostgres({ dataDir, settings, preferredPort: port });
      if (running.port !== port) throw new Error(`Somebody took port ${port}: run it again`);
    },
    stop,
    kill: stop,
    pid() {
      if (running === undefined) throw new Error('PostgreSQL does not run');
      return running.pid;
    },
    fault: () => undefined,
  };
}
