import { describe, expect, it } from 'vitest';
import { codedExample } from '../../api/resources/decision.ts';
import { CodedSentence } from '../../domain/texts/coded-sentence.ts';
import { sentence } from '../../web/shared/sentence.ts';
import { explanationTexts } from '../../web/texts/en/explanation.ts';

// The apps' own sentences of explanations, without a browser.

describe('explanationTexts', () => {
  it('has a sentence for every code that the document lists, and no other', () => {
    const codes = CodedSentence.options.flatMap(({ shape }) => shape.code.options);
    expect(Object.keys(explanationTexts).sort()).toEqual([...codes].sort());
  });
});

describe('sentence', () => {
  const { summary, steps } = codedExample;

  it('tells the customer in money, not in minor units or versions', () => {
    expect([summary, ...steps].map((each) => sentence(each, 'customer'))).toEqual([
      'You earned 100 points.',
      'You paid €12.55.',
      'You were recognised by your e-mail address.',
      'The shop gave 10 points for each €1.00, from a purchase of €5.00 on, ' +
        'at most 100 points for a purchase.',
      '€12.55 × 10 = 125.5, rounded down to 125 points.',
      'A purchase earns at most 100 points there.',
    ]);
  });

  it('tells the merchant of the customer', () => {
    expect(sentence(summary, 'merchant')).toBe('The customer earned 100 points.');
    expect(
      sentence({ code: 'not_recognised', params: { email: true, phone: true } }, 'merchant'),
    ).toBe('No customer is known by its e-mail address or phone number.');
  });

  it.each([
    { currency: 'JPY', amountMinorUnits: 1255, says: '¥1,255 × 0.1 = 125.5, rounded to' },
    { currency: 'KWD', amountMinorUnits: 1255, says: 'KWD 1.255 × 100 = 125.5, rounded to' },
  ])('counts by the unit of $currency', ({ says, ...paid }) => {
    const params = {
      ...paid,
      conversionRate: '0.1',
      exact: '125.5',
      rounded: '126',
      roundingPolicy: 'round',
    } as const;
    const text = sentence({ code: 'calculated', params }, 'customer').replaceAll('\u00a0', ' ');
    expect(text).toBe(`${says} 126 points.`);
  });

  it('says one point of a purchase that earns exactly one', () => {
    const params = {
      amountMinorUnits: 100,
      currency: 'EUR',
      conversionRate: '0.01',
      exact: '1',
      rounded: '1',
      roundingPolicy: 'floor',
    } as const;
    expect(sentence({ code: 'calculated', params }, 'customer')).toBe('€1.00 × 1 = 1 point.');
  });

  it('says what a refund took, and what is still to be taken', () => {
    const params = {
      refundedMinorUnits: 500,
      currency: 'EUR',
      target: 50,
      points: 1,
      owed: 49,
      absorbed: 0,
    };
    expect(sentence({ code: 'refunded', params }, 'customer')).toBe(
      '€5.00 of it was paid back to you, and 1 point was taken back. ' +
        '49 points more will be taken from your next points.',
    );
  });
});
