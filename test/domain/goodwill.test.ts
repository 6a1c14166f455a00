import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../domain/errors.ts';
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
    const asked = 'Points were asked for this customer, and are not answered yet. Withdraw that.';
    expect(() => requireAskable({ isAsked: true, open: 1 })).toThrow(
      new Refusal('RULE_REJECTED', asked, 'goodwill_open'),
    );
    const many = '20 requests of the shop wait for an answer. Withdraw one first.';
    expect(() => requireAskable({ isAsked: false, open: MOST_OPEN })).toThrow(
      new Refusal('RULE_REJECTED', many, 'too_many_goodwill'),
    );
  });

  it('are answered once', () => {
    expect(() => requireOpen({ status: 'open' })).not.toThrow();
    for (const status of ['granted', 'declined', 'withdrawn'] as const) {
      const message = `This request is ${status}: nothing can be done about it any more.`;
      expect(() => requireOpen({ status })).toThrow(
        new Refusal('RULE_REJECTED', message, { issue: 'goodwill_state', params: { status } }),
      );
    }
  });

  it('are granted by somebody else than who asked', () => {
    const [one, other] = [UserId.parse(randomUUID()), UserId.parse(randomUUID())];
    expect(() => requireAnother(one, { requestedBy: other })).not.toThrow();
    const message = 'You have asked for these points yourself. Ask another administrator.';
    expect(() => requireAnother(one, { requestedBy: one })).toThrow(
      new Refusal('FORBIDDEN', message, 'own_wallet'),
    );
  });
});
