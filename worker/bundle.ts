import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BundleOptions, bundleWorkflowCode, type WorkerOptions } from '@temporalio/worker';

const WORKFLOWS = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const CORRELATION = fileURLToPath(new URL('../workflows/correlation.ts', import.meta.url));
const CACHE = new URL('../node_modules/.cache/loyalty/', import.meta.url);
/** The folders that a bundle is built from: workflows may import nothing else of ours. */
const SOURCES = [new URL('../workflows/', import.meta.url), new URL('../domain/', import.meta.url)];

/**
 * How the workflows are bundled. By default each run evaluates the modules of all workflows anew,
 * which is a tenth of what a short run costs. Ours hold no state, so that all runs share them.
 */
export const BUNDLE_OPTIONS = {
  workflowsPath: WORKFLOWS,
  workflowInterceptorModules: [CORRELATION],
  preloadModules: [WORKFLOWS, CORRELATION],
} as const satisfies BundleOptions;

/**
 * Returns the workflows as one bundle. Bundling takes a second and 100 MiB, so a bundle is stored
 * and used by later starts as long as the sources and the SDK's version are the same. Where it
 * cannot be stored, each start bundles again.
 */
export async function workflowBundle(): Promise<Pick<WorkerOptions, 'workflowBundle'>> {
  const file = new URL(`workflows-${fingerprint()}.js`, CACHE);
  if (existsSync(file)) return { workflowBundle: { codePath: fileURLToPath(file) } };

  const bundle = await bundleWorkflowCode(BUNDLE_OPTIONS);
  try {
    await mkdir(CACHE, { recursive: true });
    const draft = new URL(`${file.href}.${process.pid}`);
    await writeFile(draft, bundle.code);
    await rename(draft, file);
  } catch {
    return { workflowBundle: bundle };
  }
  return { workflowBundle: { codePath: fileURLToPath(file) } };
}

/** Returns a digest of all that a bundle is made of: the same one behaves in the same way. */
export function fingerprint(): string {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json');
  hash.update(String(version));
  for (const folder of SOURCES) {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names.filter((each) => each.endsWith('.ts'))) {
      hash.update(`\0${name}\0`).update(readFileSync(new URL(name, folder)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
