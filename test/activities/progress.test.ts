import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it, vi } from 'vitest';
import { continues, untilDone, whileAlive } from '../../activities/progress.ts';

/** An activity that is running, and how often it has said that it is alive. */
function anActivity() {
  const environment = new MockActivityEnvironment();
  const state = { environment, heartbeats: 0 };
  environment.on('heartbeat', () => {
    state.heartbeats++;
  });
  return state;
}

describe('continues', () => {
  it('says that the activity is alive', async () => {
    const activity = anActivity();
    await activity.environment.run(async () => continues());
    expect(activity.heartbeats).toBe(1);
  });

  it('says nothing of a local activity, which has no heartbeat', async () => {
    const environment = new MockActivityEnvironment({ isLocal: true });
    let heartbeats = 0;
    environment.on('heartbeat', () => {
      heartbeats++;
    });
    await environment.run(async () => continues());
    expect(heartbeats).toBe(0);
  });

  it('throws once the worker is stopping', async () => {
    const { environment } = anActivity();
    environment.cancel('WORKER_SHUTDOWN');
    await expect(environment.run(async () => continues())).rejects.toThrow('WORKER_SHUTDOWN');
  });

  it('does nothing outside an activity', () => {
    expect(() => continues()).not.toThrow();
  });
});

describe('untilDone', () => {
  it('goes on until a step does less than a full batch, and says that it is alive', async () => {
    const activity = anActivity();
    const work = [10, 10, 3, 10];
    const step = async () => work.shift() ?? 0;
    const running = () => untilDone({ batch: 10, forMs: 60_000 }, step);
    expect(await activity.environment.run(running)).toBe(23);
    expect(activity.heartbeats).toBe(3);
  });

  it('ends when its time is over', async () => {
    expect(await untilDone({ batch: 10, forMs: -1 }, async () => 10)).toBe(10);
  });

  it('throws once the worker is stopping', async () => {
    const { environment } = anActivity();
    environment.cancel('WORKER_SHUTDOWN');
    const running = () => untilDone({ batch: 1, forMs: 60_000 }, async () => 1);
    await expect(environment.run(running)).rejects.toThrow('WORKER_SHUTDOWN');
  });
});

describe('whileAlive', () => {
  it('says that the activity is alive while the work takes long', async () => {
    vi.useFakeTimers();
    const activity = anActivity();
    const work = () => new Promise((resolve) => setTimeout(() => resolve('done'), 17_000));
    const running = activity.environment.run(async () => whileAlive(work()));
    await vi.advanceTimersByTimeAsync(17_000);
    vi.useRealTimers();
    expect(await running).toBe('done');
    expect(activity.heartbeats).toBe(3);
  });

  it('does not wait for the work once the worker is stopping', async () => {
    const { environment } = anActivity();
    const running = environment.run(async () => whileAlive(new Promise(() => undefined)));
    environment.cancel('WORKER_SHUTDOWN');
    await expect(running).rejects.toThrow('WORKER_SHUTDOWN');
  });

  it('waits for the work outside an activity', async () => {
    expect(await whileAlive(Promise.resolve('done'))).toBe('done');
  });
});
