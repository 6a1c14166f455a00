import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort, isListening } from '../sandbox/processes/ports.ts';
import { useDatabase, useTemporal } from './support/fixtures.ts';
import { createProcesses, type Processes } from './support/processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOON = { timeout: 60_000, interval: 100 };
const database = await useDatabase();
const temporal = await useTemporal();

let processes: Processes;
afterEach(() => processes.close());

/** The port on which each process listens, and what names it. */
const PORTS = { api: 'PORT', worker: 'WORKER_HEALTH_PORT' } as const;
type Service = keyof typeof PORTS;

/** Runs the npm script of a service in a process group of its own, as a supervisor may. */
async function runScript(service: Service, port: number) {
  processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
  });
  const npm = spawn('npm', ['run', '--silent', service], {
    cwd: ROOT,
    detached: true,
    env: { ...processes.env, [PORTS[service]]: String(port) },
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(npm, 'exit').then(([code, signal]) => `exit ${signal ?? code}`);
  const { pid = 0 } = npm;
  return { pid, ended, output: () => output };
}

describe.each(['api', 'worker'] as const)('npm run %s', (service) => {
  it('ends in order, with status 0, when npm alone is told to', async () => {
    const port = await freePort();
    const { pid, ended, output } = await runScript(service, port);
    await expect.poll(output, SOON).toContain(`"event":"${service}_ready"`);
    process.kill(pid, 'SIGTERM');
    expect(await ended).toBe('exit 0');
    expect(output()).toContain(`"event":"${service}_stopped"`);
    expect(await isListening(port)).toBe(false);
  });

  it('ends in order when the whole group gets the signal, which npm passes on again', async () => {
    const { pid, ended, output } = await runScript(service, await freePort());
    await expect.poll(output, SOON).toContain(`"event":"${service}_ready"`);
    process.kill(-pid, 'SIGINT');
    await sleep(50);
    try {
      process.kill(-pid, 'SIGINT');
    } catch (error) {
      // All have ended already, which is in order too.
      expect(error).toMatchObject({ code: 'ESRCH' });
    }
    await ended;
    await expect.poll(output, SOON).toContain(`"event":"${service}_stopped"`);
  });

  it('ends with status 2 and one line when its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const { ended, output } = await runScript(service, port);
    expect(await ended).toBe('exit 2');
    const lines = output().trim().split('\n');
    expect(lines.at(-1)).toContain(`"event":"port_taken","port":${port}`);
    expect(output()).not.toContain('    at ');
    taken.close();
  });
});
