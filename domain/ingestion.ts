import { type Earning, earn } from './earning.ts';
import type { UserId } from './ids.ts';
import { type Match, matchConsumer } from './matching.ts';
import type { IngestionOutcome, NormalizedPayment } from './payment.ts';
import type { EarningTerms } from './reward-rule.ts';

/** What the service knows when a payment arrives. */
export type Facts = {
  /** Whether this payment was ingested before, by whichever way. */
  isKnown: boolean;
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  /** The rule in effect now, not at the time of the sale. */
  rule: (EarningTerms & { version: number }) | null;
};

/** Everything that led to the outcome, without any personal data: what `explain` shows. */
export type DecisionRecord = {
  amountMinorUnits: number;
  tipMinorUnits: number;
  currency: string;
  contacts: { email: boolean; phone: boolean };
  match: { by: Match<UserId>['by']; conflict: boolean };
  rule: (EarningTerms & { version: number }) | null;
  earning: Earning | null;
};

export type Decision = {
  outcome: IngestionOutcome;
  reason: string | null;
  userId: UserId | null;
  ruleVersion: number | null;
  points: number;
  record: DecisionRecord;
};

/**
 * Decides what becomes of a settled payment, in the order of contract 5: duplicate, no identity,
 * no rule, credited. A credit may be of 0 points; the reason then says why.
 */
export function decide(payment: NormalizedPayment, facts: Facts): Decision {
  const match = matchConsumer(facts.userByEmail, facts.userByPhone);
  const contacts = { email: payment.email !== null, phone: payment.phone !== null };
  const record: DecisionRecord = {
    amountMinorUnits: payment.amountMinorUnits,
    tipMinorUnits: payment.tipMinorUnits,
    currency: payment.currency,
    contacts,
    match: { by: match.by, conflict: match.conflict },
    rule: facts.rule,
    earning: null,
  };
  const nothing = { userId: null, ruleVersion: null, points: 0, record };

  if (facts.isKnown) return { ...nothing, outcome: 'duplicate', reason: null };
  if (match.user === null) {
    const reason = contacts.email || contacts.phone ? 'no_match' : 'no_contacts';
    return { ...nothing, outcome: 'stored_anonymous', reason };
  }
  if (facts.rule === null) {
    return { ...nothing, userId: match.user, outcome: 'no_rule_no_credit', reason: 'no_rule' };
  }

  const earning = earn(payment.amountMinorUnits, facts.rule);
  return {
    outcome: 'credited',
    reason: earning.zeroReason,
    userId: match.user,
    ruleVersion: facts.rule.version,
    points: earning.points,
    record: { ...record, earning },
  };
}
