import { Big } from 'big.js';
import { type Earning, isCappedToLimit } from '../earning.ts';
import type { PointExpiry } from '../expiry.ts';
import type { DecisionRecord } from '../ingestion.ts';
import { monthText } from '../intervals.ts';
import type { IngestionOutcome } from '../outcomes.ts';
import type { RedemptionStatus } from '../redemption.ts';
import type { EarningTerms } from '../reward-rule.ts';
import { awardSteps } from './award-explanation.ts';
import type { CodedSentence, OutcomeReason } from './coded-sentence.ts';
import { type Audience, english } from './english.ts';
import { explainReversal } from './refund-explanation.ts';

/** The outcome of a payment and the record of its decision. */
export type DecidedPayment = {
  outcome: IngestionOutcome;
  reason: OutcomeReason | null;
  points: number;
  record: DecisionRecord;
  /** From when on its points can be used, while they cannot, and whose clocks say so. */
  release?: { at: string; timeZone: string } | null;
};

/** A ledger entry's reason and points. */
export type MovedPoints = {
  points: number;
  entryType: 'credit' | 'debit';
  reason:
    | 'purchase'
    | 'redemption'
    | 'redemption_expired'
    | 'payment_refunded'
    | 'admin_adjustment'
    | 'points_expired';
};

/** What happened in one sentence, and the steps behind it. */
type Coded = { summary: CodedSentence; steps: CodedSentence[] };

/** The same in English, a sentence or two for each, and as the codes that it is made of. */
export type Explanation = { summary: string; steps: string[]; coded: Coded };

/** Explains the outcome of a payment, to the merchant or to the consumer. */
export function explainPayment(payment: DecidedPayment, audience: Audience): Explanation {
  return written({ summary: summaryOf(payment), steps: stepsOf(payment) }, audience);
}

/** What became of the code that points were redeemed for. */
export type RedeemedCode = { status: RedemptionStatus; cancelled: boolean };

/** What an entry of expiry was for: the month in which it took points, and of which credits. */
export type ExpiredEntry = PointExpiry & { balanceBefore: number };

/** What moved points, as far as it is known. */
export type EntryCause = {
  payment?: DecidedPayment | undefined;
  code?: RedeemedCode | undefined;
  expiry?: ExpiredEntry | undefined;
  /** Whether an adjustment is one of an import. */
  isImported?: boolean | undefined;
};

/** Explains a ledger entry to its consumer, with the steps of its cause if it is known. */
export function explainEntry(entry: MovedPoints, cause: EntryCause): Explanation {
  return written(codedEntry(entry, cause), 'consumer');
}

function written(coded: Coded, to: Audience): Explanation {
  const steps = coded.steps.map((step) => english(step, to));
  return { summary: english(coded.summary, to), steps, coded };
}

function codedEntry(
  { reason, points, entryType }: MovedPoints,
  { payment, code, expiry, isImported }: EntryCause,
): Coded {
  const params = { points };
  const isDebit = entryType === 'debit';
  const broughtOver = isDebit ? 'brought_over_in_error' : 'brought_over';
  switch (reason) {
    case 'purchase':
      return payment
        ? { summary: summaryOf(payment), steps: stepsOf(payment) }
        : { summary: { code: 'earned', params: { points, takenBack: 0 } }, steps: [] };
    case 'redemption':
      return {
        summary: { code: 'redeemed', params },
        steps: [bare('taken_at_confirmation'), ...(code ? [endOf(code)] : [])],
      };
    case 'redemption_expired':
      return {
        summary: { code: 'points_came_back', params },
        steps: [bare(code?.cancelled ? 'because_cancelled' : 'because_unused')],
      };
    case 'payment_refunded':
      return {
        summary: { code: isDebit ? 'taken_back' : 'given_back', params },
        steps: [
          bare(isDebit ? 'because_refunded' : 'because_refund_failed'),
          ...(payment ? stepsOf({ ...payment, release: null }) : []),
        ],
      };
    case 'admin_adjustment':
      return {
        summary: { code: isDebit ? 'taken_by_hand' : 'added_by_hand', params },
        steps: [bare(isImported ? broughtOver : 'corrected_by_administrator')],
      };
    case 'points_expired':
      return {
        summary: { code: 'points_expired', params },
        steps: expiry ? expirySteps(expiry, points) : [],
      };
  }
}

function expirySteps({ month, earnedBy, balanceBefore }: ExpiredEntry, points: number) {
  const longer = balanceBefore - points;
  const months = { earnedBy: monthText(earnedBy), month: monthText(month) };
  const steps: CodedSentence[] = [{ code: 'expired_by', params: months }];
  if (longer > 0) {
    steps.push({ code: 'usable_longer', params: { balance: balanceBefore, longer } });
  }
  return steps;
}

/** A sentence that needs no value. */
function bare<Code extends string>(code: Code): { code: Code; params: Record<never, never> } {
  return { code, params: {} };
}

function endOf({ status, cancelled }: RedeemedCode): CodedSentence {
  if (cancelled) return bare('code_cancelled');
  const ends = { issued: 'code_open', used: 'code_used', expired: 'code_expired' } as const;
  return bare(ends[status]);
}

function summaryOf({ outcome, reason, points, record }: DecidedPayment): CodedSentence {
  if (points > 0) {
    // What refunds have taken back in all, so that nobody has to add up the steps.
    const takenBack = record.reversals.reduce((sum, reversal) => sum + reversal.points, 0);
    return { code: 'earned', params: { points, takenBack } };
  }
  return {
    code: 'earned_nothing',
    params: {
      reason: outcome === 'duplicate' ? 'duplicate' : reason,
      minSpendMinorUnits: record.rule?.minSpendMinorUnits ?? null,
      currency: record.currency,
      tenantCurrency: record.tenantCurrency ?? null,
      ...record.contacts,
    },
  };
}

function stepsOf({ reason, record, release }: DecidedPayment): CodedSentence[] {
  const { amountMinorUnits, tipMinorUnits, currency, match, rule, earning } = record;
  const steps: CodedSentence[] = [
    { code: 'paid', params: { amountMinorUnits, tipMinorUnits, currency } },
  ];
  const { by, conflict, late } = match;
  if (by === null) steps.push({ code: 'not_recognised', params: record.contacts });
  else {
    steps.push({ code: 'recognised', params: { by, conflict, late } });
    if (reason !== 'tenant_suspended') steps.push(ruleStep(record));
  }
  if (rule !== null && earning !== null) steps.push(...earningSteps(record, rule, earning));
  const { tenantCurrency, reversals } = record;
  if (tenantCurrency !== undefined) {
    steps.push({ code: 'other_currency', params: { currency, tenantCurrency } });
  }
  steps.push(...reversals.map((reversal) => explainReversal(reversal, record)));
  if (release) steps.push({ code: 'usable_from', params: release });
  return steps;
}

function ruleStep({ rule, tenantCurrency, currency }: DecisionRecord): CodedSentence {
  if (rule === null) return bare('no_rule');
  const { version, minSpendMinorUnits, maxPointsPerTransaction, roundingPolicy } = rule;
  const terms = { version, minSpendMinorUnits, maxPointsPerTransaction, roundingPolicy };
  return {
    code: 'rule',
    params: { ...terms, conversionRate: rateOf(rule), currency: tenantCurrency ?? currency },
  };
}

function earningSteps(
  record: DecisionRecord,
  rule: EarningTerms,
  earning: Earning,
): CodedSentence[] {
  const { amountMinorUnits, currency, awards } = record;
  const { zeroReason, exact, points } = earning;
  const { minSpendMinorUnits, roundingPolicy } = rule;
  if (zeroReason === 'zero_amount') return [];
  const paid = { amountMinorUnits, currency };
  if (zeroReason === 'below_minimum') {
    return [{ code: 'less_than_minimum', params: { ...paid, minSpendMinorUnits } }];
  }
  // Beyond 2^53 the rounded number is not exact, and the cap decides.
  const rounded = Number.isSafeInteger(earning.rounded) ? String(earning.rounded) : exact;
  const sum = { ...paid, conversionRate: rateOf(rule), exact, rounded, roundingPolicy };
  const calculated: CodedSentence = { code: 'calculated', params: sum };
  if (awards !== undefined) return [calculated, ...awardSteps({ ...record, awards }, rule, points)];
  if (points >= earning.rounded) return [calculated];
  const cap = isCappedToLimit(earning) ? 'capped_to_limit' : 'capped_by_rule';
  return [calculated, { code: cap, params: { points } }];
}

/** The database returns a rate with all its decimals, also trailing zeros. */
function rateOf({ conversionRate }: EarningTerms): string {
  return new Big(conversionRate).toFixed();
}
