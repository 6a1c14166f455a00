import { workflowBundle } from './bundle.ts';

/** Bundles the workflows ahead of time, for images whose workers start at once and write nothing. */
const { workflowBundle: bundle } = await workflowBundle();
if (bundle === undefined || !('codePath' in bundle)) {
  process.stderr.write('The bundle cannot be kept: let node_modules/.cache be written to.\n');
  process.exit(1);
}
process.stdout.write(`The workflows are bundled in ${bundle.codePath}\n`);
