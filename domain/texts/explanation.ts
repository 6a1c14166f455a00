import { Big } from 'big.js';
import { type Earning, isCappedToLimit, type ZeroReason } from '../earning.ts';
import type { DecisionRecord } from '../ingestion.ts';
import type { IngestionOutcome } from '../outcomes.ts';
import type { RedemptionStatus } from '../redemption.ts';
import type { EarningTerms, RoundingPolicy } from '../reward-rule.ts';
import { type Audience, explainReversal } from './refund-explanation.ts';
import { money, pointsOf } from './wording.ts';

/** Why a payment credited nothing, or less than its rule gives (`capped_to_limit`). */
export type OutcomeReason =
  | ZeroReason
  | 'capped_to_limit'
  | 'no_contacts'
  | 'no_match'
  | 'no_rule'
  | 'tenant_suspended'
  | 'before_connection'
  | 'currency_mismatch';

/** The outcome of a payment and the record of its decision. */
export type DecidedPayment = {
  outcome: IngestionOutcome;
  reason: OutcomeReason | null;
  points: number;
  record: DecisionRecord;
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
    | 'admin_adjustment';
};

/** What happened in one sentence, and the steps behind it, a sentence or two each. */
export type Explanation = { summary: string; steps: string[] };

/** Explains the outcome of a payment in words, to the merchant or to the consumer. */
export function explainPayment(payment: DecidedPayment, audience: Audience): Explanation {
  const { record } = payment;
  const steps = [amountStep(record, audience), matchStep(record, audience)];
  const isSuspended = payment.reason === 'tenant_suspended';
  if (record.match.by !== null && !isSuspended) steps.push(ruleStep(record));
  if (record.rule !== null && record.earning !== null) {
    steps.push(...earningSteps(record, record.rule, record.earning));
  }
  if (record.tenantCurrency !== undefined) steps.push(currencyStep(record, record.tenantCurrency));
  const { reversals = [] } = record;
  steps.push(...reversals.map((reversal) => explainReversal(reversal, record, audience)));
  return { summary: summaryOf(payment, audience), steps };
}

/** What became of the code that points were redeemed for. */
export type RedeemedCode = { status: RedemptionStatus; cancelled: boolean };

/** Explains a ledger entry to its consumer in words, with the steps of its cause if it is known. */
export function explainEntry(
  entry: MovedPoints,
  payment: DecidedPayment | undefined,
  code?: RedeemedCode,
): Explanation {
  const points = pointsOf(entry.points);
  switch (entry.reason) {
    case 'purchase':
      return payment ? explainPayment(payment, 'consumer') : said(`You earned ${points}.`);
    case 'redemption':
      return said(
        `You redeemed ${points} for a code.`,
        'They were taken when you confirmed it.',
        ...(code ? [endOf(code)] : []),
      );
    case 'redemption_expired':
      return said(
        `You got ${points} back.`,
        code?.cancelled
          ? 'The code you had redeemed them for was cancelled.'
          : 'The code you had redeemed them for was never used.',
      );
    case 'payment_refunded':
      return said(
        `${points} ${entry.points === 1 ? 'was' : 'were'} ` +
          `${entry.entryType === 'debit' ? 'taken back' : 'given back'}.`,
        entry.entryType === 'debit'
          ? 'A payment that had earned them was refunded.'
          : 'A refund of the payment that had earned them failed after all.',
        ...(payment ? explainPayment(payment, 'consumer').steps : []),
      );
    case 'admin_adjustment':
      return entry.entryType === 'credit'
        ? said(`${points} ${entry.points === 1 ? 'was' : 'were'} added by hand.`, BY_HAND)
        : said(`${points} ${entry.points === 1 ? 'was' : 'were'} taken off by hand.`, BY_HAND);
  }
}

function endOf({ status, cancelled }: RedeemedCode): string {
  if (cancelled) return 'The code was cancelled before it was used.';
  switch (status) {
    case 'issued':
      return 'The code can still be used.';
    case 'used':
      return 'The code was used at the till.';
    case 'expired':
      return 'The code was never used, and has expired.';
  }
}

const BY_HAND = 'An administrator corrected the balance.';

function said(summary: string, ...steps: string[]): Explanation {
  return { summary, steps };
}

function summaryOf({ outcome, reason, points, record }: DecidedPayment, to: Audience): string {
  if (points > 0) {
    const verb = points === 1 ? 'was' : 'were';
    const credited =
      to === 'consumer' ? `You earned ${pointsOf(points)}` : `${pointsOf(points)} ${verb} credited`;
    return `${credited}${takenBack(record)}.`;
  }
  const nothing = to === 'consumer' ? 'You earned nothing' : 'Nothing was credited';
  if (outcome === 'duplicate') return `${nothing}: the payment had been ingested before.`;
  return reason === null ? `${nothing}.` : `${nothing}: ${because(reason, record)}.`;
}

/** What refunds have taken back in all, so that nobody has to add up the steps. */
function takenBack({ reversals = [] }: DecisionRecord): string {
  const points = reversals.reduce((sum, reversal) => sum + reversal.points, 0);
  if (points === 0) return '';
  return `, of which ${points} ${points === 1 ? 'was' : 'were'} taken back after a refund`;
}

function because(reason: OutcomeReason, record: DecisionRecord): string {
  switch (reason) {
    case 'zero_amount':
      return 'the amount was zero';
    case 'below_minimum':
      return `the rule asks for at least ${money(record.rule?.minSpendMinorUnits ?? 0, record)}`;
    case 'rounded_to_zero':
      return 'the amount is worth less than a point';
    case 'capped_to_zero':
      return 'the rule gives no more than 0 points for a payment';
    case 'capped_to_limit':
      return 'no payment can earn more points';
    case 'no_contacts':
      return 'the payment named neither an e-mail nor a phone';
    case 'no_match':
      return `nobody is known by the payment's ${contactsOf(record)}`;
    case 'tenant_suspended':
      return 'the shop is suspended, and it is decided again once that ends';
    case 'no_rule':
      return 'no reward rule was in effect';
    case 'before_connection':
      return 'this sale was made before the shop collected points here';
    case 'currency_mismatch':
      return `it was paid in ${record.currency}, and points are for ${record.tenantCurrency}`;
  }
}

function amountStep(record: DecisionRecord, to: Audience): string {
  const amount = money(record.amountMinorUnits, record);
  const inUnits = `${amount} (${record.amountMinorUnits} minor units)`;
  const tip =
    record.tipMinorUnits > 0 ? `, besides a tip of ${money(record.tipMinorUnits, record)}` : '';
  const note = tip === '' ? '' : ' A tip earns nothing.';
  return to === 'consumer'
    ? `You paid ${inUnits}${tip}.${note}`
    : `The payment was of ${inUnits}${tip}.${note}`;
}

function matchStep(record: DecisionRecord, to: Audience): string {
  const { by, conflict, late } = record.match;
  if (by === null) {
    return contactsOf(record) === ''
      ? 'It named neither an e-mail nor a phone.'
      : `Nobody has its ${contactsOf(record)} verified.`;
  }
  const contact = by === 'email' ? 'e-mail' : 'phone';
  const found =
    to === 'consumer'
      ? `You were recognised by your ${contact}.`
      : `The consumer was found by ${contact}.`;
  const steps = [
    found,
    late ? 'That was after the payment had been stored without a consumer.' : '',
    conflict ? 'The phone belongs to somebody else; the e-mail decides.' : '',
  ];
  return steps.filter((step) => step !== '').join(' ');
}

function contactsOf({ contacts }: DecisionRecord): string {
  const named = [contacts.email ? 'e-mail' : '', contacts.phone ? 'phone' : ''];
  return named.filter((name) => name !== '').join(' or ');
}

function ruleStep(record: DecisionRecord): string {
  const { rule } = record;
  if (rule === null) return 'No reward rule was in effect.';
  const own = { currency: record.tenantCurrency ?? record.currency };
  const terms = [
    `${rateOf(rule)} points for each ${money(1, own)}`,
    rule.minSpendMinorUnits > 0 ? `from ${money(rule.minSpendMinorUnits, own)} on` : '',
    ROUNDED[rule.roundingPolicy],
    rule.maxPointsPerTransaction === null
      ? ''
      : `at most ${pointsOf(rule.maxPointsPerTransaction)} for a payment`,
  ].filter((term) => term !== '');
  return `Version ${rule.version} of the reward rule was in effect: ${terms.join(', ')}.`;
}

function currencyStep({ currency }: DecisionRecord, tenantCurrency: string): string {
  return `Points are earned for payments in ${tenantCurrency}, and this one was in ${currency}.`;
}

const ROUNDED: Record<RoundingPolicy, string> = {
  floor: 'rounded down',
  ceil: 'rounded up',
  round: 'rounded to the nearest',
};

function earningSteps(record: DecisionRecord, rule: EarningTerms, earning: Earning): string[] {
  const { zeroReason, exact, points } = earning;
  if (zeroReason === 'zero_amount') return [];
  if (zeroReason === 'below_minimum') {
    const [amount, minimum] = [record.amountMinorUnits, rule.minSpendMinorUnits];
    return [`${money(amount, record)} is less than ${money(minimum, record)}.`];
  }
  // Beyond 2^53 the rounded number is not exact, and the cap decides.
  const rounded = Number.isSafeInteger(earning.rounded) ? String(earning.rounded) : exact;
  const product = `${record.amountMinorUnits} × ${rateOf(rule)} = ${exact}`;
  const steps = [
    exact === rounded ? `${product}.` : `${product}, ${ROUNDED[rule.roundingPolicy]}: ${rounded}.`,
  ];
  if (points < earning.rounded) {
    const giver = isCappedToLimit(earning) ? 'any payment can earn' : 'the rule gives';
    steps.push(`That is more than ${giver}: ${points}.`);
  }
  return steps;
}

/** The database returns a rate with all its decimals, also trailing zeros. */
function rateOf({ conversionRate }: EarningTerms): string {
  return new Big(conversionRate).toFixed();
}
