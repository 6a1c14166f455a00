import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { copyCheckout } from '../sabotage/checkout.ts';
import { ROOT } from '../sabotage/patches.ts';
import { type Member, type Release, serviceMember } from './member.ts';
import { migrateBy, type Topology } from './topology.ts';

export type OtherRelease = {
  /** Where its sources are. */
  root: string;
  /** Its build id, by which Temporal knows it. */
  buildId: string;
  /** An API of it at the port, or a worker, which is not running yet. */
  member(name: string, port?: number): Member;
  /** Runs its `npm run migrate`, and returns what that prints; throws unless it succeeds. */
  migrate(): Promise<string>;
  /** Deletes its sources. */
  remove(): void;
};

/** Makes a release of these sources in which one file has more lines. */
export async function makeOtherRelease(
  { folder, env }: Pick<Topology, 'folder' | 'env'>,
  change: { file: string; after: string; insert: string },
): Promise<OtherRelease> {
  const { folder: root, remove } = copyCheckout(ROOT);
  const path = join(root, change.file);
  const text = await readFile(path, 'utf8');
  if (!text.includes(change.after)) throw new Error(`${change.file} has no ${change.after}`);
  await writeFile(path, text.replace(change.after, `${change.after}\n${change.insert}`));
  const from = (file: string) => import(pathToFileURL(join(root, file)).href);
  const { deploymentOf } = await from('worker/deployment.ts');
  const { startService } = await from('sandbox/processes/service.ts');
  const release: Release = { folder, env, startService };
  return {
    root,
    buildId: String(deploymentOf(true).version.buildId),
    member: (name, port) => serviceMember(release, name, port),
    migrate: () => migrateBy(root, env),
    remove,
  };
}
