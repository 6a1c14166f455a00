import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAtLeast, versionOf } from '../processes/versions.ts';
import { build, download, type Install, install } from './install.ts';

/** The release that is downloaded or built; the same as in `cli-module/go.mod`. */
const CLI_VERSION = '1.8.2';

export type TemporalCli = {
  path: string;
  /** The program's own version text. */
  version: string;
  source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'build';
};

/** Inputs of the search; by default this machine and this process's environment. */
export type CliOptions = {
  env?: Readonly<Record<string, string | undefined>>;
  downloadUrl?: string;
};

type Report = (line: string) => void;

const OLDEST_CLI = '1.7.0';
/** Decides for a CLI built from source, which may not know its own release. */
const OLDEST_SERVER = '1.31.0';

/**
 * Returns a recent Temporal CLI: TEMPORAL_CLI_PATH, else one on the PATH, else the cached one, else
 * a download of the pinned release, else a build of it from source. Reports its steps as lines;
 * throws one error that names every option when none works.
 */
export async function ensureTemporalCli(
  report: Report,
  options: CliOptions = {},
): Promise<TemporalCli> {
  const env = options.env ?? process.env;
  if (env.TEMPORAL_CLI_PATH) return await namedCli(env.TEMPORAL_CLI_PATH);

  const found = await cliOnPath(env.PATH, report);
  if (found !== undefined) return found;

  const folder = cacheFolder(env);
  const path = join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
  const cached = await versionOf(path);
  if (cached !== undefined) return { path, version: cached, source: 'cache' };

  const failures: string[] = [];
  const ways: ReadonlyArray<readonly [TemporalCli['source'], Install]> = [
    ['download', download(CLI_VERSION, options.downloadUrl)],
    ['build', build(CLI_VERSION, env)],
  ];
  for (const [source, way] of ways) {
    try {
      const { version, found } = await install(path, way, report);
      return { path, version, source: found ? 'cache' : source };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`${source}: ${reason}`);
      report(`Temporal: the ${source} did not work (${reason})`);
    }
  }
  throw new Error(explain(failures));
}

async function namedCli(path: string): Promise<TemporalCli> {
  const version = await versionOf(path);
  if (version === undefined) {
    throw new Error(
      `TEMPORAL_CLI_PATH is ${path}, which does not run: set it to a temporal program`,
    );
  }
  if (!isRecent(version)) {
    throw new Error(`TEMPORAL_CLI_PATH is ${version}: set it to ${OLDEST_CLI} or newer`);
  }
  return { path, version, source: 'TEMPORAL_CLI_PATH' };
}

async function cliOnPath(search = '', report: Report): Promise<TemporalCli | undefined> {
  const path = search
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal'))
    .find(isExecutable);
  if (path === undefined) return undefined;

  const version = await versionOf(path);
  if (version !== undefined && isRecent(version)) return { path, version, source: 'PATH' };
  const problem = version === undefined ? 'does not run' : `is too old (${version})`;
  report(`Temporal: ${path} ${problem}, ${OLDEST_CLI} or newer is needed; trying the next option`);
  return undefined;
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const root = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return join(root, 'loyalty-temporal', `${CLI_VERSION}-${process.platform}-${process.arch}`);
}

/** Whether a line such as "temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)" is new enough. */
function isRecent(version: string): boolean {
  const [, cli = ''] = /version v?(\d+\.\d+\.\d+)/.exec(version) ?? [];
  const [, server = ''] = /Server v?(\d+\.\d+\.\d+)/.exec(version) ?? [];
  return isAtLeast(cli, OLDEST_CLI) || isAtLeast(server, OLDEST_SERVER);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function explain(failures: readonly string[]): string {
  return [
    'No Temporal server was found or could be started. Any one of these is enough:',
    '  1. set SANDBOX_TEMPORAL_ADDRESS to a running server, such as localhost:7233 (not for tests)',
    `  2. set TEMPORAL_CLI_PATH to a temporal CLI ${OLDEST_CLI} or newer, or put it on the PATH`,
    `  3. let this machine reach temporal.download, for CLI ${CLI_VERSION}`,
    '  4. install Go 1.26.4 or newer with access to its module proxy, to build it (three minutes)',
    ...failures.map((failure) => `Tried: ${failure}`),
  ].join('\n');
}
