import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';

export type Pooler = {
  /** The database of that URL through the pooler. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
};

const STOP = [{ signal: 'SIGINT', waitMs: 5_000 }] as const;

/** Starts PgBouncer, which gives its connections to another client after each transaction. */
export async function startPgBouncer(
  program: string,
  folder: string,
  databaseUrl: string,
  poolSize = 4,
): Promise<Pooler> {
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const configuration = join(folder, 'pgbouncer.ini');
  await writeFile(
    configuration,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_prepared_statements = 100
`,
  );
  // It refuses to run as root, and another user has to read its files.
  for (const path of [users, configuration]) await chmod(path, 0o644);
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const running: ServerProcess = await startServer({
    command: program,
    args: [...user, configuration],
    logFile: join(folder, 'pgbouncer.log'),
    signalAtExit: 'SIGINT',
  });
  await vi.waitUntil(() => isListening(port), { timeout: 20_000 });
  return {
    urlOf(url) {
      const through = new URL(url);
      through.port = String(port);
      return through.href;
    },
    stop: () => running.stop(STOP),
  };
}
