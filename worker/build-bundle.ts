import { workflowBundle } from './bundle.ts';

/** Bundles the workflows ahead of time, for images whose workers start fast and cannot write. */
const { workflowBundle: bundle } = await workflowBundle();
if (bundle === undefined || !('codePath' in bundle)) {
  process.stderr.write('The bundle could not be stored: make node_modules/.cache writable.\n');
  process.exit(1);
}
process.stdout.write(`The workflows are bundled in ${bundle.codePath}\n`);
