import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../../sandbox/processes/install.ts';
import { userCache } from '../../sandbox/processes/user-cache.ts';
import { buildWithGo } from '../../sandbox/temporal/sources.ts';

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
  const { env } = process;
  const name = `server-${SERVER_VERSION}-${process.platform}-${process.arch}`;
  const kept = join(userCache(env), 'loyalty-temporal', name);
  const programs = { server: join(kept, 'temporal-server'), sqlTool: join(kept, 'temporal-sql') };
  const build = async (path: string, what: string, from: string) => {
    const way = buildWithGo({ folder: FOLDER, package: `go.temporal.io/server/cmd/${from}` }, env);
    const stages = [{ doing: 'building it (some minutes)', ways: [way] }];
    await install({ name: `Temporal ${what} ${SERVER_VERSION}`, path }, stages, report);
  };
  await build(programs.server, 'server', 'server');
  await build(programs.sqlTool, 'schema tool', 'tools/sql');
  return programs;
}
