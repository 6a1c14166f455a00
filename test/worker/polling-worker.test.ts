import { describe, expect, it } from 'vitest';
import { followRate } from '../../worker/polling-worker.ts';

type Made = { rate: number; isRunning: boolean };

/** Makes workers that run until they are told to end, or fail. */
function fakes() {
  const made: Made[] = [];
  const create = async (rate: number) => {
    const worker = { rate, isRunning: true };
    made.push(worker);
    return {
      async runUntil<R>(end: Promise<R> | (() => Promise<R>)): Promise<R> {
        const result = await (typeof end === 'function' ? end() : end);
        worker.isRunning = false;
        return result;
      },
    };
  };
  const rates = () => made.filter(({ isRunning }) => isRunning).map(({ rate }) => rate);
  return { made, create, rates };
}

function anEnd() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

describe('followRate', () => {
  it('replaces the worker when the wanted rate has changed by a quarter', async () => {
    const { made, create, rates } = fakes();
    const { end, ended } = anEnd();
    let rate = 100;
    const wanted = async () => rate;
    const running = followRate({ create, wanted, initial: 10, lookEveryMs: 5 }).runUntil(ended);
    await expect.poll(rates).toEqual([100]);
    rate = 120;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(rates()).toEqual([100]);
    rate = 125;
    await expect.poll(rates).toEqual([125]);
    rate = 20;
    await expect.poll(rates).toEqual([20]);
    end();
    await running;
    expect(rates()).toEqual([]);
    expect(made.map((each) => each.rate)).toEqual([100, 125, 20]);
  });

  it('starts with an initial rate while the wanted one is unknown', async () => {
    const { made, create, rates } = fakes();
    const { end, ended } = anEnd();
    let answers = 0;
    const wanted = async () => {
      if (answers++ % 2 === 0) throw new Error('Postgres is away.');
      return 50;
    };
    const running = followRate({ create, wanted, initial: 10, lookEveryMs: 5 }).runUntil(ended);
    await expect.poll(() => answers).toBeGreaterThan(5);
    expect(rates()).toEqual([50]);
    end();
    await running;
    expect(made.map((each) => each.rate)).toEqual([10, 50]);
  });

  it('throws the error of a worker that fails', async () => {
    const create = async () => ({
      runUntil: () => Promise.reject(new Error('The worker failed.')),
    });
    const never = new Promise<void>(() => undefined);
    const running = followRate({ create, wanted: async () => 10, initial: 10 }).runUntil(never);
    await expect(running).rejects.toThrow('The worker failed.');
  });
});
