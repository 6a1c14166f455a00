import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { acquireLock } from '../processes/lock-file.ts';
import { isAtLeast, versionOf } from '../processes/versions.ts';

type Report = (line: string) => void;
type Environment = Readonly<Record<string, string | undefined>>;

/** Puts the program into an empty work folder and returns its path. */
export type Install = (work: string, report: Report) => Promise<string>;

const CLI_MODULE = fileURLToPath(new URL('./cli-module/', import.meta.url));
const OLDEST_GO = '1.26.4';

const REPORT_EVERY_MS = 5_000;
const WAIT_MS = 500;
const CONNECT_WITHIN_MS = 8_000;
const STALL_MS = 30_000;

const execute = promisify(execFile);

/** `found`: it existed already, or another process installed it while this one waited. */
export type Installed = { version: string; found: boolean };

/**
 * Installs a working program at `path`, completely or not at all. While another process is doing
 * the same it waits. Removes the leftovers of installations killed halfway.
 */
export async function install(path: string, way: Install, report: Report): Promise<Installed> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const release = await waitForLock(join(folder, 'installing'), report);
  try {
    // The previous holder of the lock may have installed it.
    const present = await versionOf(path);
    if (present !== undefined) return { version: present, found: true };

    await removeHalfDone(folder);
    const work = join(folder, `half-${randomBytes(6).toString('hex')}`);
    await mkdir(work);
    const program = await way(work, report);
    await chmod(program, 0o755);
    const version = await versionOf(program);
    if (version === undefined) throw new Error('it does not run on this machine');
    await rename(program, path);
    return { version, found: false };
  } finally {
    await removeHalfDone(folder);
    await release();
  }
}

async function waitForLock(path: string, report: Report): Promise<() => Promise<void>> {
  const first = await acquireLock(path);
  if (first.held) return first.release;
  const waiting = `Temporal: process ${first.by} is already fetching or building it, waiting`;
  return await withElapsed(waiting, report, async () => {
    for (;;) {
      await sleep(WAIT_MS);
      const next = await acquireLock(path);
      if (next.held) return next.release;
    }
  });
}

async function removeHalfDone(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('half-')) await rm(join(folder, name), { recursive: true, force: true });
  }
}

const DownloadInfo = z.object({ archiveUrl: z.url(), fileToExtract: z.string().min(1) });

/** Returns an installer that downloads the release from the same address as the SDK. */
export function download(version: string, base = 'https://temporal.download'): Install {
  return async (work, report) => {
    const platform = process.platform === 'win32' ? 'windows' : process.platform;
    const arch = process.arch === 'x64' ? 'amd64' : process.arch;
    const url = `${base}/cli/v${version}?arch=${arch}&platform=${platform}`;
    return await withElapsed(`Temporal: downloading CLI ${version}`, report, async () => {
      const description = await fetchTo(url, join(work, 'description'));
      const info = DownloadInfo.parse(JSON.parse(await readFile(description, 'utf8')));
      // A downgrade to http would let anybody in between choose the program.
      if (new URL(info.archiveUrl).protocol !== new URL(base).protocol) {
        throw new Error(`the release is offered at ${info.archiveUrl}, not by ${base}'s protocol`);
      }
      const archive = await fetchTo(info.archiveUrl, join(work, 'archive'));
      await execute('tar', ['-xf', archive, '-C', work, info.fileToExtract]);
      return join(work, info.fileToExtract);
    });
  };
}

/** Downloads to the file; gives up when the host does not respond or stops sending. */
async function fetchTo(url: string, path: string): Promise<string> {
  const stalled = new AbortController();
  const host = new URL(url).host;
  const silent = () => stalled.abort(new Error(`${host} does not respond`));
  let timer = setTimeout(silent, CONNECT_WITHIN_MS);
  const file = await open(path, 'w');
  try {
    const response = await fetch(url, { signal: stalled.signal });
    if (!response.ok || response.body === null) throw new Error(`${host}: ${response.status}`);
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(silent, STALL_MS);
      await file.write(chunk);
    }
    return path;
  } catch (error) {
    throw new Error(`${host} cannot be reached: ${reasonOf(error)}`, { cause: error });
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

/** Returns an installer that builds the release from the sources pinned in `cli-module/go.sum`. */
export function build(version: string, env: Environment): Install {
  const named = `-X github.com/temporalio/cli/internal/temporalcli.Version=${version}`;
  const source = { folder: CLI_MODULE, package: 'github.com/temporalio/cli/cmd/temporal' };
  return buildWithGo({ ...source, what: `CLI ${version}`, ldflags: named }, env);
}

/** Returns an installer that builds a Temporal program from the sources its go.sum pins. */
export function buildWithGo(
  program: { what: string; folder: string; package: string; ldflags?: string },
  env: Environment,
): Install {
  return async (work, report) => {
    const options = { cwd: program.folder, env };
    await requireGo(options);
    const path = join(work, 'temporal');
    const ldflags = `-s -w ${program.ldflags ?? ''}`;
    const args = ['build', '-mod=readonly', '-ldflags', ldflags, '-o', path, program.package];
    const building = `Temporal: building ${program.what} from source (some minutes, once)`;
    await withElapsed(building, report, async () => {
      try {
        await execute('go', args, options);
      } catch (error) {
        throw new Error(`go build failed: ${lastLines(error)}`, { cause: error });
      }
    });
    return path;
  };
}

async function requireGo(options: { cwd: string; env: Environment }): Promise<void> {
  // Run in the module's folder, where Go may fetch the newer toolchain that go.mod names.
  const { stdout } = await execute('go', ['version'], options).catch((error: unknown) => {
    throw new Error(`Go does not run: ${lastLines(error)}`, { cause: error });
  });
  const [, version = ''] = /go(\d+\.\d+(?:\.\d+)?)/.exec(stdout) ?? [];
  if (!isAtLeast(version, OLDEST_GO)) throw new Error(`Go ${version} is older than ${OLDEST_GO}`);
}

function lastLines(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const output = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return output === '' ? error.message : output.split('\n').slice(-3).join(' ');
}

async function withElapsed<T>(what: string, report: Report, work: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  report(what);
  const ticker = setInterval(() => {
    report(`${what}: ${Math.round((Date.now() - begun) / 1000)} s`);
  }, REPORT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticker);
  }
}
