import { expect } from 'vitest';
import { listenForChanges } from '../../../db/changes/listener.ts';
import type { UserId } from '../../../domain/ids.ts';

const SOON = { timeout: 10_000, interval: 10 };

/** Expects that what is done announces that the user may have lost access. */
export async function expectAccessAnnounced(
  { url }: { url: string },
  userId: UserId,
  act: () => Promise<unknown>,
): Promise<void> {
  const heard: string[] = [];
  let isConnected = false;
  const listener = listenForChanges({
    at: { url },
    onChanged: ({ accessOf }) => void heard.push(...accessOf),
    onConnected: () => {
      isConnected = true;
    },
    onLost() {},
  });
  try {
    await expect.poll(() => isConnected, SOON).toBe(true);
    await act();
    await expect.poll(() => heard, SOON).toContain(userId);
  } finally {
    await listener.close();
  }
}
