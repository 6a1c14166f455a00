import { describe, expect, it } from 'vitest';
import { createPresence } from '../../../api/http/draining.ts';

const GRACE_MS = 400;

describe('leave', () => {
  it('is over at once when nobody goes by the answer', async () => {
    const presence = createPresence();
    await presence.leave(60_000);
    expect(presence.isWelcoming()).toBe(false);
  });

  it('gives whoever asked a while ago the time to hear it, and no more than a part of the grace', async () => {
    const presence = createPresence();
    expect(presence.isWelcoming()).toBe(true);
    let isOver = false;
    const leaving = presence.leave(GRACE_MS).then(() => {
      isOver = true;
    });
    expect(presence.isWelcoming()).toBe(false);
    await Promise.resolve();
    expect(isOver).toBe(false);
    await leaving;
  });
});
