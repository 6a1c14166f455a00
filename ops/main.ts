import { once } from 'node:events';
import { runOps, STATUS } from './run.ts';

// The reader of the output, such as `head`, has closed it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(STATUS.done);
  throw error;
});

process.exitCode = await runOps(process.argv.slice(2), {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  complain: (text) => void process.stderr.write(text),
});
