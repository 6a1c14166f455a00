import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWithGo, install } from '../../sandbox/temporal/install.ts';

export type TemporalPrograms = {
  /** The server, which runs all of Temporal's services in one process. */
  server: string;
  /** Creates and updates the server's tables. */
  sqlTool: string;
};

/** The release in `temporal-server/go.mod` and in the compose file. */
const SERVER_VERSION = '1.31.2';

const FOLDER = fileURLToPath(new URL('./temporal-server/', import.meta.url));

/**
 * Builds the Temporal server for clusters from the sources that its go.sum pins, once, and keeps it
 * in the user's cache. Requires Go; throws with what is missing.
 */
export async function ensureTemporalServer(
  report: (line: string) => void,
): Promise<TemporalPrograms> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const name = `server-${SERVER_VERSION}-${process.platform}-${process.arch}`;
  const kept = join(cache, 'loyalty-temporal', name);
  const programs = { server: join(kept, 'temporal-server'), sqlTool: join(kept, 'temporal-sql') };
  const build = (what: string, path: string) =>
    buildWithGo(
      { what, folder: FOLDER, package: `go.temporal.io/server/cmd/${path}` },
      process.env,
    );
  await install(programs.server, build(`server ${SERVER_VERSION}`, 'server'), report);
  await install(programs.sqlTool, build(`schema tool ${SERVER_VERSION}`, 'tools/sql'), report);
  return programs;
}
