import { describe, expect, it } from 'vitest';
import { UserId } from '../../../domain/ids.ts';
import { decide, type Facts } from '../../../domain/ingestion.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { CodedSentence, OUTCOME_REASONS } from '../../../domain/texts/coded-sentence.ts';
import {
  type DecidedPayment,
  type Explanation,
  explainEntry,
  explainPayment,
  type MovedPoints,
} from '../../../domain/texts/explanation.ts';

const ada = UserId.parse('00000000-0000-4000-8000-00000000000a');
const bob = UserId.parse('00000000-0000-4000-8000-00000000000b');

// The rate has the database's format.
const plain = {
  version: 3,
  conversionRate: '0.100000',
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
} as const;

type Case = {
  pays?: Partial<NormalizedPayment>;
  rule?: Partial<NonNullable<Facts['rule']>> | null;
  knows?: Partial<Facts>;
};

/** Decides a payment as the service does, so that each explained case can really occur. */
function decided({ pays, rule, knows }: Case): DecidedPayment {
  const payment: NormalizedPayment = {
    provider: 'alpha',
    providerPaymentId: 'P1',
    state: 'settled',
    amountMinorUnits: 1255,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    currency: 'EUR',
    occurredAt: new Date('2026-01-15T10:00:00Z'),
    changedAt: new Date('2026-01-15T10:00:02Z'),
    locationId: null,
    providerCustomerId: null,
    email: 'ada@example.com',
    phone: null,
    ...pays,
  };
  const { outcome, reason, points, record } = decide(
    payment,
    {
      userByEmail: ada,
      userByPhone: null,
      currency: null,
      isSuspended: false,
      rule: rule === null ? null : { ...plain, ...rule },
      ...knows,
    },
    'reverse',
  );
  return { outcome, reason: asReason(reason), points, record };
}

const asReason = (text: string | null) => OUTCOME_REASONS.find((known) => known === text) ?? null;

/** The English of an explanation, whose codes are those that the document lists, one a step. */
function said({ summary, steps, coded }: Explanation) {
  expect(CodedSentence.array().parse([coded.summary, ...coded.steps])).toHaveLength(
    1 + steps.length,
  );
  return { summary, steps };
}

const paid = 'The payment was of 12.55 EUR (1255 minor units).';
const byEmail = 'The consumer was found by e-mail.';
const version3 =
  'Version 3 of the reward rule was in effect: 0.1 points for each 0.01 EUR, rounded down.';

describe('explainPayment, to the merchant', () => {
  it.each<Case & { about: string; summary: string; steps: string[] }>([
    {
      about: 'credited',
      summary: '125 points were credited.',
      steps: [paid, byEmail, version3, '1255 × 0.1 = 125.5, rounded down: 125.'],
    },
    {
      about: 'credited without rounding, and with every term',
      pays: { amountMinorUnits: 2000, tipMinorUnits: 150 },
      rule: { minSpendMinorUnits: 500, maxPointsPerTransaction: 200, roundingPolicy: 'ceil' },
      summary: '200 points were credited.',
      steps: [
        'The payment was of 20.00 EUR (2000 minor units), besides a tip of 1.50 EUR. ' +
          'A tip earns nothing.',
        byEmail,
        'Version 3 of the reward rule was in effect: 0.1 points for each 0.01 EUR, ' +
          'from 5.00 EUR on, rounded up, at most 200 points for a payment.',
        '2000 × 0.1 = 200.',
      ],
    },
    {
      about: 'credited with one point, found by phone',
      pays: { amountMinorUnits: 5, phone: '+4915112345678' },
      rule: { roundingPolicy: 'round' },
      knows: { userByEmail: null, userByPhone: bob },
      summary: '1 point was credited.',
      steps: [
        'The payment was of 0.05 EUR (5 minor units).',
        'The consumer was found by phone.',
        'Version 3 of the reward rule was in effect: 0.1 points for each 0.01 EUR, ' +
          'rounded to the nearest.',
        '5 × 0.1 = 0.5, rounded to the nearest: 1.',
      ],
    },
    {
      about: 'capped, but not to zero',
      rule: { maxPointsPerTransaction: 100 },
      summary: '100 points were credited.',
      steps: [
        paid,
        byEmail,
        expect.stringContaining('at most 100 points for a payment.'),
        '1255 × 0.1 = 125.5, rounded down: 125.',
        'That is more than the rule gives: 100.',
      ],
    },
    {
      about: 'capped_to_limit',
      pays: { amountMinorUnits: 30_000_000_000 },
      rule: { conversionRate: '1' },
      summary: '2147483647 points were credited.',
      steps: [
        'The payment was of 300000000.00 EUR (30000000000 minor units).',
        byEmail,
        expect.stringContaining('1 point for each 0.01 EUR'),
        '30000000000 × 1 = 30000000000.',
        'That is more than any payment can earn: 2147483647.',
      ],
    },
    {
      about: 'capped to one point from more than a safe integer',
      pays: { amountMinorUnits: Number.MAX_SAFE_INTEGER },
      rule: { conversionRate: '1000000', maxPointsPerTransaction: 1 },
      summary: '1 point was credited.',
      steps: [
        'The payment was of 90071992547409.91 EUR (9007199254740991 minor units).',
        byEmail,
        expect.stringContaining('at most 1 point for a payment.'),
        '9007199254740991 × 1000000 = 9007199254740991000000.',
        'That is more than the rule gives: 1.',
      ],
    },
    {
      about: 'conflict',
      pays: { phone: '+4915112345678' },
      knows: { userByPhone: bob },
      summary: '125 points were credited.',
      steps: [
        paid,
        `${byEmail} The phone belongs to somebody else; the e-mail decides.`,
        version3,
        '1255 × 0.1 = 125.5, rounded down: 125.',
      ],
    },
    {
      about: 'zero_amount',
      pays: { amountMinorUnits: 0 },
      summary: 'Nothing was credited: the amount was zero.',
      steps: ['The payment was of 0.00 EUR (0 minor units).', byEmail, version3],
    },
    {
      about: 'below_minimum',
      rule: { minSpendMinorUnits: 2000 },
      summary: 'Nothing was credited: the rule asks for at least 20.00 EUR.',
      steps: [
        paid,
        byEmail,
        expect.stringContaining('from 20.00 EUR on'),
        '12.55 EUR is less than 20.00 EUR.',
      ],
    },
    {
      about: 'rounded_to_zero',
      pays: { amountMinorUnits: 9 },
      summary: 'Nothing was credited: the amount is worth less than a point.',
      steps: [
        'The payment was of 0.09 EUR (9 minor units).',
        byEmail,
        version3,
        '9 × 0.1 = 0.9, rounded down: 0.',
      ],
    },
    {
      about: 'capped_to_zero',
      rule: { maxPointsPerTransaction: 0 },
      summary: 'Nothing was credited: the rule gives no more than 0 points for a payment.',
      steps: [
        paid,
        byEmail,
        expect.stringContaining('at most 0 points for a payment.'),
        '1255 × 0.1 = 125.5, rounded down: 125.',
        'That is more than the rule gives: 0.',
      ],
    },
    {
      about: 'currency_mismatch',
      rule: { minSpendMinorUnits: 500 },
      knows: { currency: 'JPY' },
      summary: 'Nothing was credited: it was paid in EUR, and points are for JPY.',
      steps: [
        paid,
        byEmail,
        'Version 3 of the reward rule was in effect: 0.1 points for each 1 JPY, from 500 JPY on, ' +
          'rounded down.',
        'Points are earned for payments in JPY, and this one was in EUR.',
      ],
    },
    {
      about: 'no_contacts',
      pays: { email: null },
      knows: { userByEmail: null },
      summary: 'Nothing was credited: the payment named neither an e-mail nor a phone.',
      steps: [paid, 'It named neither an e-mail nor a phone.'],
    },
    {
      about: 'no_match by e-mail',
      knows: { userByEmail: null },
      summary: "Nothing was credited: nobody is known by the payment's e-mail.",
      steps: [paid, 'Nobody has its e-mail verified.'],
    },
    {
      about: 'no_match by either',
      pays: { phone: '+4915112345678' },
      knows: { userByEmail: null },
      summary: "Nothing was credited: nobody is known by the payment's e-mail or phone.",
      steps: [paid, 'Nobody has its e-mail or phone verified.'],
    },
    {
      about: 'no_match by phone',
      pays: { email: null, phone: '+4915112345678' },
      knows: { userByEmail: null },
      summary: "Nothing was credited: nobody is known by the payment's phone.",
      steps: [paid, 'Nobody has its phone verified.'],
    },
    {
      about: 'no_rule',
      rule: null,
      summary: 'Nothing was credited: no reward rule was in effect.',
      steps: [paid, byEmail, 'No reward rule was in effect.'],
    },
    {
      about: 'tenant_suspended, whatever its rule',
      knows: { isSuspended: true },
      summary:
        'Nothing was credited: the shop is suspended, and it is decided again once that ends.',
      steps: [paid, byEmail],
    },
    {
      about: 'refunded in part before the first report',
      pays: { refundedMinorUnits: 500 },
      summary: '125 points were credited, of which 49 were taken back after a refund.',
      steps: [
        paid,
        byEmail,
        version3,
        '1255 × 0.1 = 125.5, rounded down: 125.',
        '5.00 EUR of it had been refunded by then, worth 49 points in all: ' +
          '49 points were taken back.',
      ],
    },
    {
      about: 'a currency without decimals',
      pays: { currency: 'JPY' },
      summary: '125 points were credited.',
      steps: [
        'The payment was of 1255 JPY (1255 minor units).',
        byEmail,
        'Version 3 of the reward rule was in effect: 0.1 points for each 1 JPY, rounded down.',
        '1255 × 0.1 = 125.5, rounded down: 125.',
      ],
    },
    {
      about: 'a currency of three decimals',
      pays: { currency: 'KWD' },
      summary: '125 points were credited.',
      steps: [
        'The payment was of 1.255 KWD (1255 minor units).',
        byEmail,
        expect.stringContaining('for each 0.001 KWD'),
        '1255 × 0.1 = 125.5, rounded down: 125.',
      ],
    },
    {
      about: 'an invalid currency',
      pays: { currency: '?' },
      summary: '125 points were credited.',
      steps: [
        'The payment was of 1255 ? (1255 minor units).',
        byEmail,
        expect.stringContaining('for each 1 ?'),
        '1255 × 0.1 = 125.5, rounded down: 125.',
      ],
    },
  ])('explains: $about', ({ summary, steps, ...some }) => {
    expect(said(explainPayment(decided(some), 'merchant'))).toEqual({ summary, steps });
  });
});

describe('explainPayment, to the consumer', () => {
  it.each<Case & { summary: string; steps: string[] }>([
    {
      pays: { tipMinorUnits: 100 },
      summary: 'You earned 125 points.',
      steps: [
        'You paid 12.55 EUR (1255 minor units), besides a tip of 1.00 EUR. A tip earns nothing.',
        'You were recognised by your e-mail.',
        version3,
        '1255 × 0.1 = 125.5, rounded down: 125.',
      ],
    },
    {
      pays: { amountMinorUnits: 9 },
      summary: 'You earned nothing: the amount is worth less than a point.',
      steps: [
        'You paid 0.09 EUR (9 minor units).',
        'You were recognised by your e-mail.',
        version3,
        '9 × 0.1 = 0.9, rounded down: 0.',
      ],
    },
  ])('explains in the second person: $summary', ({ summary, steps, ...some }) => {
    expect(said(explainPayment(decided(some), 'consumer'))).toEqual({ summary, steps });
  });
});

describe('explainEntry', () => {
  it('returns the explanation of the payment, if there is one', () => {
    const entry: MovedPoints = { entryType: 'credit', points: 125, reason: 'purchase' };
    const payment = decided({});
    expect(explainEntry(entry, { payment })).toEqual(explainPayment(payment, 'consumer'));
    expect(said(explainEntry(entry, {}))).toEqual({
      summary: 'You earned 125 points.',
      steps: [],
    });
  });

  it.each<MovedPoints & { summary: string; step: string }>([
    {
      entryType: 'credit',
      points: 5,
      reason: 'payment_refunded',
      summary: '5 points were given back.',
      step: 'A refund of the payment that had earned them failed after all.',
    },
    {
      entryType: 'debit',
      points: 50,
      reason: 'redemption',
      summary: 'You redeemed 50 points for a code.',
      step: 'They were taken when you confirmed it.',
    },
    {
      entryType: 'credit',
      points: 50,
      reason: 'redemption_expired',
      summary: 'You got 50 points back.',
      step: 'The code you had redeemed them for was never used.',
    },
    {
      entryType: 'debit',
      points: 1,
      reason: 'payment_refunded',
      summary: '1 point was taken back.',
      step: 'A payment that had earned them was refunded.',
    },
    {
      entryType: 'credit',
      points: 5,
      reason: 'admin_adjustment',
      summary: '5 points were added by hand.',
      step: 'An administrator corrected the balance.',
    },
    {
      entryType: 'debit',
      points: 1,
      reason: 'admin_adjustment',
      summary: '1 point was taken off by hand.',
      step: 'An administrator corrected the balance.',
    },
  ])('explains a $entryType of $points for $reason: $summary', ({ summary, step, ...entry }) => {
    expect(said(explainEntry(entry, {}))).toEqual({ summary, steps: [step] });
  });
});
