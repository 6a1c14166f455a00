import { expect, it } from 'vitest';
import type { CodedSentence } from '../../../domain/texts/coded-sentence.ts';
import { english } from '../../../domain/texts/english.ts';

const doubled = {
  multiplier: 2,
  amountMinorUnits: 1255,
  currency: 'EUR',
  conversionRate: '0.2',
  exact: '502',
  rounded: '502',
  roundingPolicy: 'floor',
  instead: 251,
} as const;
const half = { ...doubled, multiplier: 1.5, exact: '376.5', rounded: '376' };
const byMember = { by: 'member', conflict: false, late: false } as const;
const failed = { refundedMinorUnits: 0, currency: 'EUR', target: 0, points: 0, owed: 0 };

type Case = { says: CodedSentence; consumer: string; merchant: string };

it.each<Case>([
  {
    says: { code: 'recognised', params: byMember },
    consumer: 'You were recognised by your member code.',
    merchant: 'The consumer was found by member code, at the till.',
  },
  {
    says: { code: 'tier_multiplies', params: { tier: 'Gold', ...doubled } },
    consumer: 'As a Gold member you earn 2 times as much: 1255 × 0.2 × 2 = 502 instead of 251.',
    merchant:
      'As a Gold member the consumer earns 2 times as much: 1255 × 0.2 × 2 = 502 instead of 251.',
  },
])('says to each in their own words: $consumer', ({ says, consumer, merchant }) => {
  expect([english(says, 'consumer'), english(says, 'merchant')]).toEqual([consumer, merchant]);
});

it.each<[CodedSentence, string]>([
  [
    { code: 'campaign_multiplies', params: { campaign: 'Happy hour', ...half } },
    'The campaign “Happy hour” multiplies it by 1.5: ' +
      '1255 × 0.2 × 1.5 = 376.5, rounded down: 376 instead of 251.',
  ],
  [
    { code: 'campaign_adds', params: { campaign: 'Happy hour', points: 1 } },
    'The campaign “Happy hour” adds 1 point.',
  ],
  [
    { code: 'refund_failed', params: { ...failed, absorbed: 1 } },
    'A refund failed after all. 0.00 EUR of it had been refunded by then, worth 0 points in all: ' +
      '0 points were given back. 1 point more of what had expired is no longer set against it.',
  ],
  [
    { code: 'written_off', params: { points: 1 } },
    '1 point was not taken back, because the account was erased.',
  ],
  [{ code: 'code_open', params: {} }, 'The code can still be used.'],
  [{ code: 'code_used', params: {} }, 'The code was used at the till.'],
  [{ code: 'code_expired', params: {} }, 'The code was never used, and has expired.'],
  [{ code: 'code_cancelled', params: {} }, 'The code was cancelled before it was used.'],
  [{ code: 'because_cancelled', params: {} }, 'The code you had redeemed them for was cancelled.'],
])('says of %j: %s', (says, sentence) => {
  expect(english(says, 'consumer')).toBe(sentence);
});
