import { describe, expect, it } from 'vitest';
import { createDrainState } from '../../../api/http/draining.ts';

const GRACE_MS = 400;

describe('leave', () => {
  it('is over at once when nobody goes by the answer', async () => {
    const drainState = createDrainState();
    await drainState.drain(60_000);
    expect(drainState.isAccepting()).toBe(false);
  });

  it('gives whoever asked a while ago the time to hear it, and no more than a part of the grace', async () => {
    const drainState = createDrainState();
    expect(drainState.isAccepting()).toBe(true);
    let isOver = false;
    const leaving = drainState.drain(GRACE_MS).then(() => {
      isOver = true;
    });
    expect(drainState.isAccepting()).toBe(false);
    await Promise.resolve();
    expect(isOver).toBe(false);
    await leaving;
  });
});
