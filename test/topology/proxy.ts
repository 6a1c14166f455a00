import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isListening } from '../../sandbox/processes/ports.ts';
import { startServer } from '../../sandbox/processes/processes.ts';
import { pathOf } from '../support/needs.ts';
import { createMember, type Member } from './member.ts';

const CONFIG = new URL('../../deploy/nginx/', import.meta.url);
const READY_WITHIN_MS = 10_000;

/** Where the proxy writes its access log, in its folder. */
export const ACCESS_LOG = 'nginx/access.log';

/**
 * Starts nginx in front of the APIs, with the compose file's configuration on other addresses.
 * `oneAddress` lifts its limits per address, because all traffic of a test comes from one.
 */
export async function startProxy(options: {
  folder: string;
  port: number;
  apiPorts: readonly number[];
  oneAddress: boolean;
}): Promise<Member> {
  const { port } = options;
  const folder = join(options.folder, 'nginx');
  mkdirSync(folder);
  const config = join(folder, 'nginx.conf');
  const text = configuration(folder, port, options.apiPorts);
  writeFileSync(config, options.oneAddress ? withoutLimits(text) : text);

  const proxy = createMember('nginx', () => startNginx(folder, port));
  await proxy.start();
  return proxy;
}

/** Starts nginx with the `nginx.conf` of a folder, and waits until it listens on the port. */
export async function startNginx(folder: string, port: number) {
  const server = await startServer({
    command: findNginx(),
    args: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    logFile: join(folder, 'nginx.log'),
    signalAtExit: 'SIGTERM',
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
    if (await isListening(port)) return server;
  }
  throw new Error(`nginx is not listening:\n${server.logTail()}`);
}

function findNginx(): string {
  const found = pathOf('nginx');
  if (found === undefined) {
    throw new Error('nginx is needed: install it (apt-get install nginx-light) and run this again');
  }
  return found;
}

/** Replaces what exists only in containers, such as service names, and keeps everything else. */
function configuration(folder: string, port: number, apiPorts: readonly number[]): string {
  const asRoot = process.getuid?.() === 0 ? 'user root;\n' : '';
  const upstream = readFileSync(new URL('upstream.conf', CONFIG), 'utf8');
  const text = readFileSync(new URL('nginx.conf', CONFIG), 'utf8')
    .replace('include upstream.conf;', () => upstream)
    .replaceAll('/tmp/', `${folder}/`)
    .replace('/dev/stdout', `${folder}/access.log`)
    .replace(/^ *resolver .*$/m, '')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll(/api-(\d):3000 resolve/g, (_, nth) => `127.0.0.1:${apiPorts[Number(nth) - 1]}`);
  if (text.includes('undefined') || text.includes('resolve ')) {
    throw new Error('deploy/nginx has changed: adapt how test/topology/proxy.ts reads it');
  }
  return `daemon off;\n${asRoot}${text}`;
}

function withoutLimits(text: string): string {
  return text.replace(/^ *limit_(conn|req) (connections|zone=requests).*$/gm, '');
}
