import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatabaseError } from 'pg';
import { acquireLock } from './processes/lock-file.ts';
import { createProgress } from './progress.ts';
import { startAll } from './start-all.ts';
import { sandboxDir } from './state.ts';

const USAGE = `
npm start              starts everything on this machine; state is kept under .sandbox/
npm start -- --fresh   deletes that state and starts over
`.trimStart();

/** What to close at the end, in reverse order; a failure does not stop the others. */
const closers: { what: string; close: () => Promise<void> }[] = [];
let closing: Promise<void> | undefined;

const progress = createProgress((text) => process.stdout.write(text));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    process.stdout.write('\nStopping …\n');
    void end(0);
  });
}

try {
  await main();
} catch (error) {
  // What fails while everything stops has been stopped.
  if (closing === undefined) {
    process.stderr.write(`\nThe sandbox could not start: ${reasonOf(error)}\n`);
  }
  await end(1);
}

async function main(): Promise<void> {
  const { fresh, help } = options();
  if (help) {
    process.stdout.write(USAGE);
    return;
  }
  const dir = sandboxDir();
  await mkdir(join(dir, 'logs'), { recursive: true, mode: 0o700 });
  const lock = await acquireLock(join(dir, 'owner'));
  if (!lock.held) {
    throw new Error(
      `it already runs as process ${lock.by}. Stop that process (Ctrl-C or kill ${lock.by}), ` +
        'or set SANDBOX_DIR to another folder to run a second sandbox.',
    );
  }
  closers.push({ what: 'lock', close: lock.release });

  process.stdout.write(
    `Starting the loyalty-points service, with everything it needs, in ${dir}\n`,
  );
  await startAll({
    dir,
    fresh,
    progress,
    onStarted: (what, close, ownProcess) => {
      closers.push({ what, close });
      void ownProcess?.exited.then((reason) => {
        if (closing !== undefined) return;
        process.stderr.write(
          `\n${what} has ended (${reason}), so everything stops. Its log: ${ownProcess.logFile}\n`,
        );
        void end(1);
      });
    },
  });
}

/** Returns the message, and of a refused statement its reason first, which knex puts behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [, statement, reason] = /^(.*) - (.+)$/s.exec(error.message) ?? [];
  if (!(error instanceof DatabaseError) || statement === undefined) return error.message;
  return `${reason}\nIn the statement: ${statement}`;
}

function options(): { fresh: boolean; help: boolean } {
  try {
    const { values } = parseArgs({
      options: { fresh: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return { fresh: values.fresh ?? false, help: values.help ?? false };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function end(status: number): Promise<void> {
  closing ??= (async () => {
    for (const { what, close } of closers.reverse()) {
      await close().catch((error: unknown) => {
        process.stderr.write(`${what} did not stop: ${error}\n`);
      });
    }
    process.exit(status);
  })();
  return closing;
}
