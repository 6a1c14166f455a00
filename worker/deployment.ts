import { readFileSync } from 'node:fs';
import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { z } from 'zod';
import { fingerprint } from './bundle.ts';

/** The name under which Temporal knows the versions of our workers. */
const DEPLOYMENT = 'loyalty';

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(packageJson));

/**
 * Returns the release of a worker, which each workflow task then names: the version, and a digest
 * of the workflows and of Temporal's SDK. With versioning a run stays with the release that began
 * it, whose workers have to stay until it has ended; without, any worker takes any task.
 */
export function deploymentOf(hasVersions: boolean): WorkerDeploymentOptions {
  const release = { deploymentName: DEPLOYMENT, buildId: `${version}-${fingerprint()}` };
  return hasVersions
    ? { version: release, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' }
    : { version: release, useWorkerVersioning: false };
}
