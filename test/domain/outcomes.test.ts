import { expect, it } from 'vitest';
import { EVENT_OUTCOMES, OUTCOMES, STORED_OUTCOMES } from '../../domain/outcomes.ts';

it('no two outcomes weigh the same', () => {
  const weights = EVENT_OUTCOMES.map((outcome) => OUTCOMES[outcome].weight);
  expect(new Set(weights).size).toBe(weights.length);
});

it('a stored payment has another outcome than one that was stored before', () => {
  expect(STORED_OUTCOMES).toEqual(['credited', 'stored_anonymous', 'no_rule_no_credit']);
});
