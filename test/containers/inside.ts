import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Deployment } from './deployment.ts';
import { podman, run, say } from './engine.ts';

/** What a container may do, as its own first process and its own kernel say it. */
export type Inside = {
  /** The numeric user of its first process. */
  user: number;
  /** What it may do as root, also what it could gain; nothing: an empty list. */
  capabilities: string[];
  noNewPrivileges: boolean;
  /** Whether system calls are filtered. */
  isFiltered: boolean;
  /** Paths, of those that were tried, where a file can be made. */
  writable: string[];
  /** The networks that it is in. */
  networks: string[];
  memoryLimit: number;
};

const TRIED = ['/', '/app', '/etc', '/usr', '/usr/share/loyalty-apps', '/run/secrets', '/tmp'];
const RESTARTED_WITHIN_MS = 60_000;
const Networks = z.record(z.string(), z.unknown());
const CAPABILITIES: Record<number, string> = { 1: 'DAC_OVERRIDE' };

/** Looks at a running container of a service from inside. */
export async function lookInside(deployment: Deployment, service: string): Promise<Inside> {
  const id = await deployment.idOf(service);
  const read = (path: string) => deployment.exec(service, 'cat', path);
  const status = await read('/proc/1/status');
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const bounding = BigInt(`0x${field('CapBnd')}`) | BigInt(`0x${field('CapEff')}`);
  const writable = await Promise.all(
    TRIED.map(async (path) => {
      const file = `${path === '/' ? '' : path}/probe`;
      const made = await deployment.exec(service, 'sh', '-c', `: >${file} && rm ${file}`).then(
        () => true,
        () => false,
      );
      return made ? [path] : [];
    }),
  );
  const networks = await podman('inspect', '--format', '{{json .NetworkSettings.Networks}}', id);
  return {
    user: Number(field('Uid')),
    capabilities: namesOf(bounding),
    noNewPrivileges: field('NoNewPrivs') === '1',
    isFiltered: field('Seccomp') === '2',
    writable: writable.flat(),
    networks: Object.keys(Networks.parse(JSON.parse(networks)))
      .map((name) => name.replace(/^[^_]+_/, ''))
      .sort(),
    memoryLimit: Number(await podman('inspect', '--format', '{{.HostConfig.Memory}}', id)),
  };
}

function namesOf(bits: bigint): string[] {
  const set = Array.from({ length: 64 }, (_, bit) => bit).filter(
    (bit) => (bits >> BigInt(bit)) & 1n,
  );
  return set.map((bit) => CAPABILITIES[bit] ?? `capability ${bit}`);
}

/** Whether a container reaches a port, by a program that is in all of them. */
export async function reaches(
  deployment: Deployment,
  service: string,
  to: { host: string; port: number },
): Promise<boolean> {
  // From within its network, with a program of this machine: images have none for it.
  const pid = await podman('inspect', '--format', '{{.State.Pid}}', await deployment.idOf(service));
  const script = `require('node:net').connect({ host: '${to.host}', port: ${to.port} })
    .once('connect', () => process.exit(0)).once('error', () => process.exit(1));
    setTimeout(() => process.exit(1), 3000)`;
  const within = ['--target', pid, '--net', process.execPath, '-e', script];
  return await run('nsenter', within).then(
    () => true,
    () => false,
  );
}

/** The addresses of a service's container, in each network that it is in. */
export async function addressesOf(deployment: Deployment, service: string): Promise<string[]> {
  const addresses = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const id = await deployment.idOf(service);
  return (await podman('inspect', '--format', addresses, id)).trim().split(' ');
}

/** Kills what a container runs, as a crash would, and waits until it is another process. */
export async function killed(deployment: Deployment, service: string): Promise<void> {
  const id = await deployment.idOf(service);
  const pidOf = async () => Number(await podman('inspect', '--format', '{{.State.Pid}}', id));
  const pid = await pidOf();
  process.kill(pid, 'SIGKILL');
  for (const deadline = Date.now() + RESTARTED_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    if (![0, pid].includes(await pidOf())) return;
  }
  throw new Error(`${service} was not started again`);
}

/** Prints what each container may do. */
export function sayInside(containers: ReadonlyMap<string, Inside>): void {
  say('\nSeen from inside (all: no new privileges, system calls filtered):');
  for (const [name, own] of containers) {
    const columns = [
      name.padEnd(18),
      `user ${own.user}`.padEnd(11),
      `${own.memoryLimit / 2 ** 20} MiB`.padEnd(9),
      `writes ${own.writable.join(' ')}`.padEnd(26),
      `is in ${own.networks.join(' ')}`.padEnd(22),
      `may ${own.capabilities.join(' ') || 'nothing of root'}`,
    ];
    say(`  ${columns.join(' ')}`);
  }
}
