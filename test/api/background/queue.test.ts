import { describe, expect, it } from 'vitest';
import { createBackgroundQueue } from '../../../api/background/queue.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';

function queueOf(limits: { maxInFlight: number; maxWaiting: number }) {
  const log: string[] = [];
  const logger = createLogger(
    { level: 'info', service: 'api' },
    { write: (line) => log.push(line) },
  );
  return { log, queue: createBackgroundQueue({ ...limits, log: logger }) };
}

/** Work that does not end until it is opened. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, work: () => opened };
}

describe('createBackgroundQueue', () => {
  it('runs at most the limit at the same time, in the order they were added', async () => {
    const { queue } = queueOf({ maxInFlight: 2, maxWaiting: 10 });
    const gates = [gate(), gate(), gate()];
    const begun: number[] = [];
    gates.forEach(({ work }, index) => {
      queue.add(`work ${index}`, () => {
        begun.push(index);
        return work();
      });
    });
    expect(begun).toEqual([0, 1]);
    gates[1]?.open();
    await expect.poll(() => begun).toEqual([0, 1, 2]);
    gates[0]?.open();
    gates[2]?.open();
    await queue.close();
  });

  it('continues after work that rejects or throws, and logs one line per second', async () => {
    const { queue, log } = queueOf({ maxInFlight: 1, maxWaiting: 10 });
    let isDone = false;
    queue.add('one that rejects', () => Promise.reject(new Error('no Temporal')));
    queue.add('one that throws', () => {
      throw new Error('no Temporal either');
    });
    queue.add('one that works', async () => {
      isDone = true;
    });
    await expect.poll(() => isDone).toBe(true);
    expect(log.filter((line) => line.includes('background_work_dropped'))).toHaveLength(1);
    expect(log.join()).toContain('one that rejects');
  });

  it('drops and logs work beyond the limit', async () => {
    const { queue, log } = queueOf({ maxInFlight: 1, maxWaiting: 1 });
    const first = gate();
    const done: string[] = [];
    const add = (what: string, work = async () => {}) =>
      queue.add(what, async () => {
        await work();
        done.push(what);
      });
    add('under way', first.work);
    add('waits');
    add('one too many');
    first.open();
    await expect.poll(() => done).toEqual(['under way', 'waits']);
    expect(log.join()).toContain('one too many');
  });

  it('drops waiting work on close, and resolves when no work is running', async () => {
    const { queue } = queueOf({ maxInFlight: 1, maxWaiting: 10 });
    const first = gate();
    const done: string[] = [];
    queue.add('under way', () => first.work().then(() => done.push('under way')));
    queue.add('waits', async () => done.push('waits'));
    const closed = queue.close().then(() => done.push('closed'));
    queue.add('too late', async () => done.push('too late'));
    first.open();
    await closed;
    expect(done).toEqual(['under way', 'closed']);
  });
});
