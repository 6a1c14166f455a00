import { runOps, STATUS } from './run.ts';
import { here } from './surroundings.ts';

// The reader of the output, such as `head`, has closed it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(STATUS.done);
  throw error;
});

process.exitCode = await runOps(process.argv.slice(2), here);
