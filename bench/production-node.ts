import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { userCache } from '../sandbox/processes/user-cache.ts';
import { versionOf } from '../sandbox/processes/versions.ts';

const execute = promisify(execFile);

/** The release of Node that production runs; the same as in the Dockerfile. */
export const NODE_VERSION = '24.21.0';

/**
 * Returns the limits of the heap of a process in a container with so much memory, as V8 has them
 * there, with what the Dockerfile sets. `npm start` has none.
 */
export function heapLimits(containerMib: number): string[] {
  return ['--max-semi-space-size=32', `--max-old-space-size=${containerMib / 2}`];
}

/** A Node program and the arguments with which it runs TypeScript files. */
export type NodeProgram = { path: string; args: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where processes keep what they have compiled, as in the image. */
function compileCache(env: Environment = process.env): string {
  return join(folderIn(env), 'compiled');
}

function folderIn(env: Environment): string {
  return join(userCache(env), 'loyalty-node');
}

/** Whether this Node runs TypeScript without a loader. */
export function stripsTypes(): boolean {
  return 'typescript' in process.features && Boolean(process.features.typescript);
}

/**
 * Returns a Node that runs the sources as production does, without a loader: this one if it can,
 * else the release of the image, which is taken from the package registry once and kept in the
 * user's cache folder. Where that fails it reports why and returns this Node with the loader.
 */
export async function productionNode(
  report: (line: string) => void,
  { env = process.env, isRecent = stripsTypes() }: { env?: Environment; isRecent?: boolean } = {},
): Promise<NodeProgram> {
  if (isRecent) return { path: process.execPath, args: [] };
  const root = folderIn(env);
  const path = join(root, `node-${NODE_VERSION}-${process.platform}-${process.arch}`);
  try {
    if ((await versionOf(path)) !== `v${NODE_VERSION}`) await install(root, path, { env, report });
    return { path, args: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    report(`Node ${NODE_VERSION} could not be installed: ${reason}`);
    report(`Running on ${process.version} with a loader, which is slower than production: let npm`);
    report('reach its registry, or run the benchmark with Node 24');
    return { path: process.execPath, args: ['--import', 'tsx'] };
  }
}

/**
 * Runs a program with the arguments of this process on the Node that production runs, and exits
 * with its status. All processes that it starts run as it does.
 */
export async function runOnProductionNode(program: URL): Promise<void> {
  const { path, args } = await productionNode((line) => process.stderr.write(`${line}\n`));
  const child = spawn(path, [...args, fileURLToPath(program), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
  });
  // Ctrl-C reaches both. The program then stops its processes, and this one waits for it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill('SIGTERM'));
  }
  child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}

async function install(
  root: string,
  path: string,
  { env, report }: { env: Environment; report: (line: string) => void },
): Promise<void> {
  report(`Installing Node ${NODE_VERSION}, which is what production runs, in ${root} (once)`);
  await mkdir(root, { recursive: true });
  const work = await mkdtemp(join(root, 'half-'));
  try {
    // The package `node` fetches this one in a script, which npm may be told not to run.
    const platform = process.platform === 'win32' ? 'win' : process.platform;
    const name = `node-${platform}-${process.arch}`;
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', work];
    await execute('npm', ['install', ...options, `${name}@${NODE_VERSION}`], { cwd: work, env });
    const program = join(work, 'node_modules', name, 'bin', 'node');
    await chmod(program, 0o755);
    const version = await versionOf(program);
    if (version !== `v${NODE_VERSION}`) throw new Error(`${name} contains ${version ?? 'no Node'}`);
    // It appears complete or not at all, also when two runs install it at the same time.
    await rename(program, path);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
