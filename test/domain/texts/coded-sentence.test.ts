import { describe, expect, it } from 'vitest';
import { earn } from '../../../domain/earning.ts';
import {
  type DecidedPayment,
  explainEntry,
  explainPayment,
  type MovedPoints,
} from '../../../domain/texts/explanation.ts';

const sum = { amountMinorUnits: 1255, currency: 'EUR' } as const;
const terms = {
  conversionRate: '0.100000',
  minSpendMinorUnits: 0,
  maxPointsPerTransaction: 100,
  roundingPolicy: 'floor',
} as const;

function aPayment(rule: Partial<Record<keyof typeof terms, number>> = {}): DecidedPayment {
  const { minSpendMinorUnits = 0 } = rule;
  const own = { ...terms, minSpendMinorUnits };
  const earning = earn(sum.amountMinorUnits, own);
  const record = {
    ...sum,
    tipMinorUnits: 0,
    contacts: { email: true, phone: false },
    match: { by: 'email' as const, conflict: false, late: false },
    rule: { ...own, version: 3 },
    earning,
    reversals: [],
  } satisfies DecidedPayment['record'];
  return { outcome: 'credited', reason: earning.zeroReason, points: earning.points, record };
}

describe('the codes of an explanation', () => {
  it('come with the values of its sentences', () => {
    const rate = { conversionRate: '0.1', roundingPolicy: 'floor' };
    expect(explainPayment(aPayment(), 'consumer').coded).toEqual({
      summary: { code: 'earned', params: { points: 100, takenBack: 0 } },
      steps: [
        { code: 'paid', params: { ...sum, tipMinorUnits: 0 } },
        { code: 'recognised', params: { by: 'email', conflict: false, late: false } },
        { code: 'rule', params: { ...terms, ...rate, version: 3, currency: 'EUR' } },
        { code: 'calculated', params: { ...sum, ...rate, exact: '125.5', rounded: '125' } },
        { code: 'capped_by_rule', params: { points: 100 } },
      ],
    });
  });

  it('say why there was nothing, with what the sentence names', () => {
    const { coded } = explainPayment(aPayment({ minSpendMinorUnits: 2000 }), 'merchant');
    expect(coded.summary).toEqual({
      code: 'earned_nothing',
      params: {
        reason: 'below_minimum',
        minSpendMinorUnits: 2000,
        currency: 'EUR',
        tenantCurrency: null,
        email: true,
        phone: false,
      },
    });
    expect(coded.steps.at(-1)).toEqual({
      code: 'less_than_minimum',
      params: { ...sum, minSpendMinorUnits: 2000 },
    });
  });

  it.each([
    { status: 'issued', cancelled: false, end: 'code_open' },
    { status: 'used', cancelled: false, end: 'code_used' },
    { status: 'expired', cancelled: false, end: 'code_expired' },
    { status: 'expired', cancelled: true, end: 'code_cancelled' },
  ] as const)('name the end of a code: $end', ({ end, ...code }) => {
    const entry: MovedPoints = { entryType: 'debit', points: 50, reason: 'redemption' };
    const { steps } = explainEntry(entry, { code }).coded;
    expect(steps.map((step) => step.code)).toEqual(['taken_at_confirmation', end]);
  });

  it.each([
    [true, 'because_cancelled', 'The code you had redeemed them for was cancelled.'],
    [false, 'because_unused', 'The code you had redeemed them for was never used.'],
  ])('name why points of a code came back, cancelled: %s', (cancelled, code, step) => {
    const entry: MovedPoints = { entryType: 'credit', points: 50, reason: 'redemption_expired' };
    expect(explainEntry(entry, { code: { status: 'expired', cancelled } })).toMatchObject({
      steps: [step],
      coded: { steps: [{ code, params: {} }] },
    });
  });

  it('name last from when on points can be used, and not once they are taken back', () => {
    const release = { at: '2026-03-14T09:05:00.000Z', timeZone: 'Europe/Berlin' };
    const payment = { ...aPayment({}), release };
    expect(explainPayment(payment, 'merchant').coded.steps.at(-1)).toEqual({
      code: 'usable_from',
      params: release,
    });
    const entry: MovedPoints = { entryType: 'debit', points: 50, reason: 'payment_refunded' };
    const { steps } = explainEntry(entry, { payment }).coded;
    expect(steps.map(({ code }) => code)).toEqual([
      'because_refunded',
      'paid',
      'recognised',
      'rule',
      'calculated',
      'capped_by_rule',
    ]);
  });
});
