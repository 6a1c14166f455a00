import { expect, it } from 'vitest';
import { MAX_EARNED_POINTS } from '../../domain/earning.ts';
import { ATTEMPT_LIFETIME_MS, EXCHANGE_WITHIN_MS, STATE_LIFETIME_MS } from '../../domain/oauth.ts';
import { EVENT_OUTCOMES, INGESTION_OUTCOMES } from '../../domain/outcomes.ts';
import { byProvider, PROVIDERS } from '../../domain/payment.ts';
import { MAX_PAGES_PER_RUN, OVERLAP_MS } from '../../domain/polling.ts';
import { callbackPath } from '../../domain/provider-paths.ts';
import { CODE_LIFETIME_MS, GUESSING, REDEMPTION_STATUSES } from '../../domain/redemption.ts';
import { EFFECTIVE_TOLERANCE_SECONDS, RULE_STATUSES } from '../../domain/reward-rule.ts';
import { ROLES, USER_STATUSES } from '../../domain/roles.ts';

// What clients, operators and the database were told, as numbers and words of their own: a change
// of one of these is a change for them.

it.each([
  { limit: 'a code can be used for 15 minutes', value: CODE_LIFETIME_MS, is: 900_000 },
  { limit: 'a state is valid for 10 minutes', value: STATE_LIFETIME_MS, is: 600_000 },
  { limit: 'an exchange takes 15 s at most', value: EXCHANGE_WITHIN_MS, is: 15_000 },
  { limit: 'an attempt fails after 20 s', value: ATTEMPT_LIFETIME_MS, is: 20_000 },
  { limit: 'a run polls 25 pages', value: MAX_PAGES_PER_RUN, is: 25 },
  { limit: 'a listing overlaps by 5 minutes', value: OVERLAP_MS.updated_at, is: 300_000 },
  { limit: 'by creation, by 7 days', value: OVERLAP_MS.created_at, is: 604_800_000 },
  { limit: 'a payment earns what 32 bits hold', value: MAX_EARNED_POINTS, is: 2_147_483_647 },
  { limit: 'a rule may be a minute early', value: EFFECTIVE_TOLERANCE_SECONDS, is: 60 },
])('$limit', ({ value, is }) => {
  expect(value).toBe(is);
});

it('thirty guesses within ten minutes block for a minute', () => {
  expect(GUESSING).toEqual({ unknownCodes: 30, withinSeconds: 600, blockedSeconds: 60 });
});

it('the callbacks are those that the providers are told', () => {
  expect(byProvider(callbackPath)).toEqual({
    alpha: '/oauth/alpha/callback',
    beta: '/oauth/beta/callback',
  });
});

it('the words of columns and answers', () => {
  expect(PROVIDERS).toEqual(['alpha', 'beta']);
  expect(INGESTION_OUTCOMES).toEqual([
    'credited',
    'stored_anonymous',
    'duplicate',
    'no_rule_no_credit',
  ]);
  expect(EVENT_OUTCOMES).toEqual([...INGESTION_OUTCOMES, 'refund_reversed', 'ignored']);
  expect(REDEMPTION_STATUSES).toEqual(['issued', 'used', 'expired']);
  expect(RULE_STATUSES).toEqual(['in_effect', 'scheduled', 'superseded']);
  expect(ROLES).toEqual(['consumer', 'client', 'pos_operator', 'admin']);
  expect(USER_STATUSES).toEqual(['active', 'pending_approval', 'suspended']);
});
