import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  GoodwillInput,
  MOST_OPEN,
  requireAnother,
  requireAskable,
  requireOpen,
} from '../../domain/goodwill.ts';
import { UserId } from '../../domain/ids.ts';

describe('points that a merchant asks for', () => {
  it.each([0, -5, 1.5, 100_001])('are no %s', (points) => {
    expect(GoodwillInput.safeParse({ points, reason: 'A broken cup.' }).success).toBe(false);
    expect(GoodwillInput.safeParse({ points: 1, reason: ' ' }).success).toBe(false);
    expect(GoodwillInput.parse({ points: 1, reason: ' A cup. ' }).reason).toBe('A cup.');
  });

  it('are asked once for a customer, and so often in a shop', () => {
    expect(() => requireAskable({ isAsked: false, open: MOST_OPEN - 1 })).not.toThrow();
    expect(() => requireAskable({ isAsked: true, open: 1 })).toThrow(/not answered yet/);
    expect(() => requireAskable({ isAsked: false, open: MOST_OPEN })).toThrow(/Withdraw one/);
  });

  it('are answered once', () => {
    expect(() => requireOpen({ status: 'open' })).not.toThrow();
    for (const status of ['granted', 'declined', 'withdrawn'] as const) {
      expect(() => requireOpen({ status })).toThrow(status);
    }
  });

  it('are granted by somebody else than who asked', () => {
    const [one, other] = [UserId.parse(randomUUID()), UserId.parse(randomUUID())];
    expect(() => requireAnother(one, { requestedBy: other })).not.toThrow();
    expect(() => requireAnother(one, { requestedBy: one })).toThrow(/another administrator/);
  });
});
