import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inherited } from '../../sandbox/processes/inherited.ts';
import { userCache } from '../../sandbox/processes/user-cache.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What is fetched or built once: base trees, programs, and Podman's layers. */
export const CACHE = join(userCache(), 'loyalty-containers');

const MAX_OUTPUT_BYTES = 64_000_000;
const execute = promisify(execFile);

/** Storage and networks of its own, and no container beyond the limits of who starts it. */
const CONFIGURATION = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "${join(CACHE, 'networks')}"
`;

const STORAGE = `[storage]
driver = "overlay"
graphroot = "${join(CACHE, 'storage')}"
runroot = "/run/loyalty-containers"
`;

/** Where Podman listens for the compose tool. */
export const SOCKET = '/run/loyalty-containers/podman.sock';

/** The environment of Podman and of the compose tool. */
export const env = {
  ...inherited(),
  CONTAINERS_CONF: join(CACHE, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(CACHE, 'storage.conf'),
  DOCKER_HOST: `unix://${SOCKET}`,
};

/** Writes the configuration that `env` names. */
export async function configureEngine(): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await writeFile(env.CONTAINERS_CONF, CONFIGURATION);
  await writeFile(env.CONTAINERS_STORAGE_CONF, STORAGE);
}

/** Runs a program to its end and returns what it printed; throws with that if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): Promise<string> {
  try {
    const options = { cwd, env: { ...env, ...more }, maxBuffer: MAX_OUTPUT_BYTES };
    return (await execute(command, args, options)).stdout.trim();
  } catch (error) {
    if (!(error instanceof Error) || !('stderr' in error)) throw error;
    const printed = 'stdout' in error ? String(error.stdout).slice(-2_000) : '';
    const said = `${printed}\n${String(error.stderr).slice(-4_000)}`;
    throw new Error(`${command} ${args.slice(0, 3).join(' ')} failed:\n${said}`, { cause: error });
  }
}

/** Runs Podman to its end, as `run` does. */
export function podman(...args: readonly string[]): Promise<string> {
  return run('podman', args);
}

/** Prints a line of progress to stderr. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Does a step, and says how long it took. */
export async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  say(`${step}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  return result;
}
