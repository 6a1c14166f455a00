import { spawn } from 'node:child_process';
import { commandEnvironment } from './command-environment.ts';
import { sandboxDir } from './state.ts';

const USAGE = `npm run sandbox-env -- COMMAND [ARGUMENT...]

Runs a command with the settings of the sandbox that npm start has started, so that the runbook can
be followed against it: npm run sandbox-env -- npm run ops -- events list, or a shell of its own by
npm run sandbox-env -- bash. API is the address of the API, and temporal is in the PATH.
`;

const [command, ...args] = process.argv.slice(2);
const env = commandEnvironment(sandboxDir());
if (command === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (env === undefined) {
  process.stderr.write('The sandbox is not running. Start it with: npm start\n');
  process.exitCode = 1;
} else {
  const child = spawn(command, args, { env, stdio: 'inherit' });
  // The command gets them itself, and says when it has ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => {
    process.stderr.write(`${command} cannot be run: ${message}\n`);
    process.exitCode = 127;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
