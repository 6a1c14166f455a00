import { describe, expect, it } from 'vitest';
import { createDrainState } from '../../../api/http/draining.ts';

const GRACE_MS = 400;

describe('drain', () => {
  it('resolves at once when no load balancer has asked', async () => {
    const drainState = createDrainState();
    await drainState.drain(60_000);
    expect(drainState.isAccepting()).toBe(false);
  });

  it('waits for part of the grace period when a load balancer has asked', async () => {
    const drainState = createDrainState();
    expect(drainState.isAccepting()).toBe(true);
    let isOver = false;
    const draining = drainState.drain(GRACE_MS).then(() => {
      isOver = true;
    });
    expect(drainState.isAccepting()).toBe(false);
    await Promise.resolve();
    expect(isOver).toBe(false);
    await draining;
  });
});
