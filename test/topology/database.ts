import { join } from 'node:path';
import { type Postgres, startPostgres } from '../../sandbox/postgres/server.ts';
import type { Member } from './member.ts';

export type Database = Member & Pick<Postgres, 'url'>;

const AS_IN_PRODUCTION = { fsync: 'on', synchronous_commit: 'on' };

/** Starts a PostgreSQL that keeps its address and its data across restarts. */
export async function startDatabase(
  folder: string,
  settings: Record<string, string> = AS_IN_PRODUCTION,
): Promise<Database> {
  const dataDir = join(folder, 'postgres');
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
      if (running.port !== port)
        throw new Error(`Port ${port} has been taken by another program: run this again`);
    },
    stop,
    kill: stop,
    pid() {
      if (running === undefined) throw new Error('PostgreSQL is not running');
      return running.pid;
    },
    fault: () => undefined,
  };
}
