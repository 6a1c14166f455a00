import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { measureCpu, measureWakeUps, watchOthers } from '../../bench/process-figures.ts';

/** Uses a processor for this long in a shell's child, which has ended by then. */
const WORK = `timeout 0.3 sh -c 'while :; do :; done'`;

describe.runIf(process.platform === 'linux')('measureCpu', () => {
  it('the time of children that have ended, and NaN for no process', async () => {
    const shell = spawn('sh', ['-c', `read _; ${WORK}; read _`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const cpu = measureCpu([shell.pid ?? 0, 2 ** 30]);
    shell.stdin.write('\n');
    await expect.poll(() => cpu(1)[0], { timeout: 20_000 }).toBeGreaterThan(0);
    expect(cpu(1)[1]).toBeNaN();
    shell.stdin.end('\n');
    await once(shell, 'exit');
  });
});

describe.runIf(process.platform === 'linux')('watchOthers', () => {
  it('a share of the machine, in which our own children do not count', () => {
    const others = watchOthers();
    spawnSync('sh', ['-c', WORK]);
    const share = others();
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  });
});

describe.runIf(process.platform === 'linux')('measureWakeUps', () => {
  it('per unit, of a process that has waited for its child, and NaN for no process', async () => {
    const shell = spawn('sh', ['-c', 'read _; sh -c "sleep 0.01"; read _'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const wakeUps = measureWakeUps([shell.pid ?? 0, 2 ** 30]);
    shell.stdin.write('\n');
    await expect.poll(() => wakeUps(1)[0], { timeout: 20_000 }).toBeGreaterThan(1);
    expect(wakeUps(10)[0]).toBeLessThan(wakeUps(1)[0] ?? 0);
    expect(wakeUps(1)[1]).toBeNaN();
    shell.stdin.end('\n');
    await once(shell, 'exit');
  });
});
