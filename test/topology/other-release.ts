import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startServer } from '../../sandbox/processes/processes.ts';
import { createMember, type Member } from './member.ts';
import type { Topology } from './topology.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['activities', 'db', 'domain', 'gateways', 'worker', 'workflows'];
const FILES = ['config.ts', 'wiring.ts', 'package.json', 'tsconfig.json'];

export type OtherRelease = {
  /** Where its sources are. */
  root: string;
  /** Its build id, by which Temporal knows it. */
  buildId: string;
  /** A worker of it, which is not running yet. */
  worker: Member;
};

/**
 * Makes a release of these sources in which one workflow takes another step at its beginning, which
 * it must never do: it cannot continue the runs that this release has begun.
 */
export async function makeOtherRelease(
  { folder, env }: Pick<Topology, 'folder' | 'env'>,
  change: { file: string; after: string; insert: string },
): Promise<OtherRelease> {
  const root = join(folder, 'other-release');
  await mkdir(root);
  for (const name of [...SOURCES, ...FILES]) {
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const path = join(root, change.file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(change.after)) throw new Error(`${change.file} has no ${change.after}`);
  await writeFile(path, text.replace(change.after, `${change.after}\n${change.insert}`));
  const { deploymentOf } = await import(pathToFileURL(join(root, 'worker/deployment.ts')).href);
  const worker = createMember('worker of the other release', async () => {
    const server = await startServer({
      command: process.execPath,
      args: ['--import', import.meta.resolve('tsx'), join(root, 'worker/main.ts')],
      logFile: join(folder, 'other-release.log'),
      signalAtExit: 'SIGTERM',
      env,
    });
    await untilReady(server.logTail);
    return server;
  });
  return { root, buildId: String(deploymentOf(true).version.buildId), worker };
}

async function untilReady(logTail: () => string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!logTail().includes('worker_ready')) {
    if (Date.now() > deadline) throw new Error(`The worker is not ready:\n${logTail()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
