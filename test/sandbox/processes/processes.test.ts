import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../sandbox/processes/processes.ts';

const folder = await mkdtemp(join(tmpdir(), 'loyalty-processes-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('hasLogged', () => {
  it('finds a line of this start, also when much has been written since', async () => {
    const start = async (script: string) => {
      const running = await startServer({
        command: process.execPath,
        args: ['-e', script],
        logFile: join(folder, 'server.log'),
        signalAtExit: 'SIGTERM',
      });
      await running.exited;
      return running;
    };
    const talkative = await start(`console.log('Ready'); console.log('x'.repeat(10_000))`);
    expect(talkative.logTail()).not.toContain('Ready');
    expect(talkative.hasLogged('Ready')).toBe(true);
    const silent = await start('');
    expect(silent.hasLogged('Ready')).toBe(false);
  });
});
