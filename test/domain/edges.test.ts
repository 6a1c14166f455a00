import { describe, expect, it } from 'vitest';
import { compactRecord } from '../../domain/decision-record.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { nameInMail, secondsUntilNextInvite } from '../../domain/invitation.ts';
import { describeViolation } from '../../domain/ledger-report.ts';
import { MailAddress } from '../../domain/mail-address.ts';
import { isSameMailbox } from '../../domain/matching.ts';
import { Onboarding, OnboardingPatch } from '../../domain/onboarding.ts';
import { sightingsAfter } from '../../domain/poll-cadence.ts';
import { RECONNECT_NOTE } from '../../domain/poll-schedules.ts';
import { isSamePosition } from '../../domain/polling.ts';
import { RewardRuleInput } from '../../domain/reward-rule.ts';
import { english } from '../../domain/texts/english.ts';
import {
  type DecidedPayment,
  explainEntry,
  explainPayment,
} from '../../domain/texts/explanation.ts';
import { explainReversal } from '../../domain/texts/refund-explanation.ts';

// What tests of whole cases leave open: each end of a range, each part of a sum, each word.

const messagesOf =
  (schema: { safeParse(value: unknown): { error?: { issues: object[] } } }) => (value: unknown) =>
    schema.safeParse(value).error?.issues;

it.each([
  { text: ' ann@shop.example ', is: true },
  { text: 'Ann@Shop.example', is: true },
  { text: '', is: true },
  { text: null, is: true },
  { text: 'ａnn@shop.example', is: false },
  { text: 'jose\u0301@shop.example', is: false },
])('isSameMailbox $text: $is', ({ text, is }) => {
  expect(isSameMailbox(text)).toBe(is);
});

describe('isSamePosition', () => {
  const position = { at: new Date(1000), paymentId: 'P1', isAtEnd: true };
  it.each([
    { other: {}, is: true },
    { other: { at: new Date(1001) }, is: false },
    { other: { paymentId: 'P2' }, is: false },
    { other: { isAtEnd: false }, is: false },
    { other: { at: new Date(1001), paymentId: 'P2' }, is: false },
  ])('with $other: $is', ({ other, is }) => {
    expect(isSamePosition(position, { ...position, ...other })).toBe(is);
  });
});

it('a violation of nobody is named so', () => {
  const nobody = { walletId: null, tenantId: null, seq: null, problem: 'is missing' };
  expect(describeViolation(nobody)).toBe('no wallet of no tenant: is missing');
});

it.each([
  'credited',
  'stored_anonymous',
  'no_rule_no_credit',
  'refund_reversed',
  'failed',
] as const)('a sale that is %s was missed', (outcome) => {
  const before = { missed: 2, known: 3 };
  const counts = { ...NO_COUNTS, [outcome]: 4 };
  expect(sightingsAfter(before, 'new', counts)).toEqual({ missed: 6, known: 3 });
});

it('keeps the note by which our pauses are known', () => {
  expect(RECONNECT_NOTE).toBe('The merchant has to connect again.');
});

it.each([
  { name: 'x'.repeat(60), shown: 'x'.repeat(60) },
  { name: 'x'.repeat(61), shown: 'a shop' },
  { name: 'J.R Diner', shown: 'J.R Diner' },
  { name: 'Shop 24.com', shown: 'a shop' },
  { name: 'Call 0 7 9 1 2', shown: 'a shop' },
])('nameInMail $name: $shown', ({ name, shown }) => {
  expect(nameInMail(name)).toBe(shown);
});

it('says what has to be done about too many invites', () => {
  const use = { open: 200, lastHour: 0, secondsToWait: 1 };
  const message = '200 invites are pending. Withdraw some of them first.';
  expect(() => secondsUntilNextInvite(use)).toThrow(message);
});

it('says what is wrong with an address and with a name', () => {
  const address = expect.objectContaining({
    message: 'must be an e-mail address, such as ann@shop.example',
  });
  expect(messagesOf(MailAddress)('ann')).toEqual([address]);
  const name = expect.objectContaining({ message: 'must be a single line' });
  expect(messagesOf(OnboardingPatch)({ businessName: 'a\nb' })).toEqual([name]);
});

it('a profile as a whole, with the notes trimmed', () => {
  const profile = { city: ' Bern ', otherPosNotes: ' two\nlines ' };
  const whole = { posProviderPreference: 'alpha', businessName: ' Café ', country: 'ch', profile };
  expect(Onboarding.parse(whole)).toEqual({
    posProviderPreference: 'alpha',
    businessName: 'Café',
    country: 'CH',
    profile: { city: 'Bern', otherPosNotes: 'two\nlines' },
  });
});

describe('a rule', () => {
  const rule = (more: object) => messagesOf(RewardRuleInput)({ conversionRate: 1, ...more });
  it.each(['1000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('may begin at %s', (effectiveFrom) => {
    expect(rule({ effectiveFrom })).toBeUndefined();
  });

  it.each([
    { more: { effectiveFrom: '0999-12-31T23:59:59Z' }, says: 'must lie in the years 1000 to 9999' },
    { more: { conversionRate: 0.1234567 }, says: 'must have at most 6 decimals' },
  ])('is told what is wrong: $says', ({ more, says }) => {
    expect(rule(more)).toEqual([expect.objectContaining({ message: says })]);
  });
});

describe('explanations', () => {
  const record = {
    amountMinorUnits: 1000,
    tipMinorUnits: 0,
    currency: 'EUR',
    contacts: { email: true, phone: false },
    match: { by: 'email', conflict: false, late: false },
    rule: null,
    earning: null,
    reversals: [],
  } as const satisfies DecidedPayment['record'];
  const payment: DecidedPayment = { outcome: 'credited', reason: null, points: 0, record };
  const reversal = (points: number) =>
    ({
      outcome: 'refund_reversed',
      refundedMinorUnits: 100,
      target: 1,
      points,
      writtenOff: 0,
    }) as const;

  it.each([
    { points: 1, entryType: 'credit', says: '1 point was added by hand.' },
    { points: 2, entryType: 'credit', says: '2 points were added by hand.' },
    { points: 1, entryType: 'debit', says: '1 point was taken off by hand.' },
    { points: 2, entryType: 'debit', says: '2 points were taken off by hand.' },
  ] as const)('$says', ({ points, entryType, says }) => {
    const entry = { points, entryType, reason: 'admin_adjustment' } as const;
    expect(explainEntry(entry, {}).summary).toBe(says);
  });

  it.each([
    { some: { outcome: 'duplicate' }, says: 'the payment had been ingested before.' },
    { some: { reason: 'capped_to_limit' }, says: 'no payment can earn more points.' },
  ] as const)('nothing, because $says', ({ some, says }) => {
    const { summary } = explainPayment({ ...payment, ...some }, 'merchant');
    expect(summary).toBe(`Nothing was credited: ${says}`);
  });

  it('nothing, for no reason', () => {
    expect(explainPayment(payment, 'consumer').summary).toBe('You earned nothing.');
  });

  it.each([
    { taken: 1, says: '5 points were credited, of which 1 was taken back after a refund.' },
    { taken: 2, says: '5 points were credited, of which 2 were taken back after a refund.' },
  ])('$says', ({ taken, says }) => {
    const refunded = { ...record, reversals: [reversal(taken)] };
    expect(explainPayment({ ...payment, points: 5, record: refunded }, 'merchant').summary).toBe(
      says,
    );
  });

  it('a match that came late', () => {
    const late = { ...record, match: { ...record.match, late: true } };
    const { steps } = explainPayment({ ...payment, record: late }, 'merchant');
    expect(steps[1]).toBe(
      'The consumer was found by e-mail. ' +
        'That was after the payment had been stored without a consumer.',
    );
  });

  it('a refund to the consumer, with the steps of its payment in their words', () => {
    const entry = { points: 1, entryType: 'debit', reason: 'payment_refunded' } as const;
    expect(explainEntry(entry, { payment }).steps).toEqual([
      'A payment that had earned them was refunded.',
      'You paid 10.00 EUR (1000 minor units).',
      'You were recognised by your e-mail.',
      'No reward rule was in effect.',
    ]);
  });

  it('a refund without a cause, to the merchant', () => {
    expect(english(explainReversal({ ...reversal(1), owed: 2 }, record), 'merchant')).toBe(
      '1.00 EUR of it had been refunded by then, worth 1 point in all: 1 point was taken back. ' +
        'The balance did not hold 2 points more, which will be taken from what the consumer ' +
        'earns next.',
    );
  });

  it('a refund that failed after all, of which nothing was owed', () => {
    const failed = { ...reversal(-1), cause: 'refund_failed' } as const;
    expect(english(explainReversal(failed, record), 'merchant')).toMatch(
      /1 point was given back\.$/,
    );
  });

  it('a record that is compact keeps nothing that is not there', () => {
    expect(compactRecord(record).kept).toStrictEqual({});
  });
});
