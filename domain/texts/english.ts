import type { RoundingPolicy } from '../reward-rule.ts';
import type { SentenceParams } from './coded-sentence.ts';
import { momentOf } from './mail-formats.ts';
import { money, pointsOf } from './wording.ts';

export type Audience = 'merchant' | 'consumer';

type Sentences = {
  [Code in keyof SentenceParams]: (params: SentenceParams[Code], to: Audience) => string;
};

/** Writes a sentence of an explanation as the API says it, to the merchant or to the consumer. */
export function english<Code extends keyof SentenceParams>(
  sentence: { code: Code; params: SentenceParams[Code] },
  to: Audience,
): string {
  return SENTENCES[sentence.code](sentence.params, to);
}

const SENTENCES: Sentences = {
  earned: ({ points, takenBack }, to) => {
    const earned =
      to === 'consumer'
        ? `You earned ${pointsOf(points)}`
        : `${pointsOf(points)} ${verb(points)} credited`;
    if (takenBack === 0) return `${earned}.`;
    return `${earned}, of which ${takenBack} ${verb(takenBack)} taken back after a refund.`;
  },
  earned_nothing: (params, to) => {
    const nothing = to === 'consumer' ? 'You earned nothing' : 'Nothing was credited';
    return params.reason === null
      ? `${nothing}.`
      : `${nothing}: ${REASONS[params.reason](params)}.`;
  },
  paid: ({ amountMinorUnits, tipMinorUnits, currency }, to) => {
    const amount = `${money(amountMinorUnits, { currency })} (${amountMinorUnits} minor units)`;
    const paid = to === 'consumer' ? `You paid ${amount}` : `The payment was of ${amount}`;
    if (tipMinorUnits <= 0) return `${paid}.`;
    return `${paid}, besides a tip of ${money(tipMinorUnits, { currency })}. A tip earns nothing.`;
  },
  recognised: ({ by, conflict, late }, to) => {
    if (by === 'member') {
      return to === 'consumer'
        ? 'You were recognised by your member code.'
        : 'The consumer was found by member code, at the till.';
    }
    const contact = by === 'email' ? 'e-mail' : 'phone';
    const sentences = [
      to === 'consumer'
        ? `You were recognised by your ${contact}.`
        : `The consumer was found by ${contact}.`,
      late ? 'That was after the payment had been stored without a consumer.' : '',
      conflict ? 'The phone belongs to somebody else; the e-mail decides.' : '',
    ];
    return sentences.filter((sentence) => sentence !== '').join(' ');
  },
  not_recognised: (contacts) =>
    contactsOf(contacts) === ''
      ? 'It named neither an e-mail nor a phone.'
      : `Nobody has its ${contactsOf(contacts)} verified.`,
  rule: ({ version, ...rule }) =>
    `Version ${version} of the reward rule was in effect: ${termsOf(rule).join(', ')}.`,
  no_rule: () => 'No reward rule was in effect.',
  other_currency: ({ currency, tenantCurrency }) =>
    `Points are earned for payments in ${tenantCurrency}, and this one was in ${currency}.`,
  less_than_minimum: ({ amountMinorUnits, minSpendMinorUnits, currency }) =>
    `${money(amountMinorUnits, { currency })} is less than ` +
    `${money(minSpendMinorUnits, { currency })}.`,
  calculated: ({ amountMinorUnits, conversionRate, exact, rounded, roundingPolicy }) => {
    const product = `${amountMinorUnits} × ${conversionRate} = ${exact}`;
    return exact === rounded
      ? `${product}.`
      : `${product}, ${ROUNDED[roundingPolicy]}: ${rounded}.`;
  },
  campaign_multiplies: ({ campaign, ...rest }) =>
    `The campaign “${campaign}” multiplies it by ${rest.multiplier}: ${multiplication(rest)}.`,
  tier_multiplies: ({ tier, ...rest }, to) =>
    `As a ${tier} member ${to === 'consumer' ? 'you earn' : 'the consumer earns'} ` +
    `${rest.multiplier} times as much: ${multiplication(rest)}.`,
  campaign_adds: ({ campaign, points }) => `The campaign “${campaign}” adds ${pointsOf(points)}.`,
  capped_by_rule: ({ points }) => `That is more than the rule gives: ${points}.`,
  capped_to_limit: ({ points }) => `That is more than any payment can earn: ${points}.`,
  refunded: ({ owed, absorbed, ...refund }, to) => {
    const before = absorbed > 0 ? ` ${pointsOf(absorbed)} more had expired before.` : '';
    const taken = `${refundedBy(refund)}${counted(refund.points)} taken back.${before}`;
    if (owed <= 0) return taken;
    const [balance, earner] =
      to === 'consumer' ? ['Your balance', 'you earn'] : ['The balance', 'the consumer earns'];
    return (
      `${taken} ${balance} did not hold ${pointsOf(owed)} more, which will be taken from what ` +
      `${earner} next.`
    );
  },
  refund_failed: ({ owed, absorbed, ...refund }) => {
    const given = `${refundedBy(refund)}${counted(refund.points)} given back.`;
    const rest = owed > 0 ? ` ${counted(owed, ' more')} no longer to be taken back.` : '';
    const isOne = absorbed === 1;
    const expired =
      absorbed > 0
        ? ` ${pointsOf(absorbed)} more of what had expired ${isOne ? 'is' : 'are'} no longer set ` +
          'against it.'
        : '';
    return `A refund failed after all. ${given}${rest}${expired}`;
  },
  debt_paid: ({ points }) => `${counted(points)} taken back from what came in later.`,
  written_off: ({ points }) => `${counted(points)} not taken back, because the account was erased.`,
  usable_from: ({ at, timeZone }) =>
    `They can be used from ${minuteFrom(at, timeZone)} on, when the sale can no longer be ` +
    'returned.',
  points_expired: ({ points }) => `${pointsOf(points)} expired.`,
  expired_by: ({ earnedBy, month }) =>
    `They were earned by ${monthOf(earnedBy)} and could be used until the end of ` +
    `${monthOf(month)}.`,
  usable_longer: ({ balance, longer }) =>
    `Your balance was ${balance}, and ${longer} of it can be used longer.`,
  redeemed: ({ points }) => `You redeemed ${pointsOf(points)} for a code.`,
  taken_at_confirmation: () => 'They were taken when you confirmed it.',
  code_open: () => 'The code can still be used.',
  code_used: () => 'The code was used at the till.',
  code_expired: () => 'The code was never used, and has expired.',
  code_cancelled: () => 'The code was cancelled before it was used.',
  points_came_back: ({ points }) => `You got ${pointsOf(points)} back.`,
  because_cancelled: () => 'The code you had redeemed them for was cancelled.',
  because_unused: () => 'The code you had redeemed them for was never used.',
  taken_back: ({ points }) => `${counted(points)} taken back.`,
  given_back: ({ points }) => `${counted(points)} given back.`,
  because_refunded: () => 'A payment that had earned them was refunded.',
  because_refund_failed: () => 'A refund of the payment that had earned them failed after all.',
  added_by_hand: ({ points }) => `${counted(points)} added by hand.`,
  taken_by_hand: ({ points }) => `${counted(points)} taken off by hand.`,
  brought_over: () => 'The shop brought your points over from before.',
  brought_over_in_error: () => 'They had been brought over from before in error.',
  corrected_by_administrator: () => 'An administrator corrected the balance.',
};

function multiplication({
  amountMinorUnits,
  conversionRate,
  multiplier,
  exact,
  rounded,
  roundingPolicy,
  instead,
}: Omit<SentenceParams['campaign_multiplies'], 'campaign'>): string {
  const product = `${amountMinorUnits} × ${conversionRate} × ${multiplier} = ${exact}`;
  const result = exact === rounded ? product : `${product}, ${ROUNDED[roundingPolicy]}: ${rounded}`;
  return `${result} instead of ${instead}`;
}

type Nothing = SentenceParams['earned_nothing'];

const REASONS: Record<NonNullable<Nothing['reason']>, (params: Nothing) => string> = {
  duplicate: () => 'the payment had been ingested before',
  zero_amount: () => 'the amount was zero',
  below_minimum: ({ minSpendMinorUnits, currency }) =>
    `the rule asks for at least ${money(minSpendMinorUnits ?? 0, { currency })}`,
  rounded_to_zero: () => 'the amount is worth less than a point',
  capped_to_zero: () => 'the rule gives no more than 0 points for a payment',
  capped_to_limit: () => 'no payment can earn more points',
  no_contacts: () => 'the payment named neither an e-mail nor a phone',
  no_match: (contacts) => `nobody is known by the payment's ${contactsOf(contacts)}`,
  no_rule: () => 'no reward rule was in effect',
  tenant_suspended: () => 'the shop is suspended, and it is decided again once that ends',
  before_connection: () => 'this sale was made before the shop collected points here',
  currency_mismatch: ({ currency, tenantCurrency }) =>
    `it was paid in ${currency}, and points are for ${tenantCurrency}`,
};

const ROUNDED: Record<RoundingPolicy, string> = {
  floor: 'rounded down',
  ceil: 'rounded up',
  round: 'rounded to the nearest',
};

function termsOf(rule: Omit<SentenceParams['rule'], 'version'>): string[] {
  const { conversionRate, minSpendMinorUnits, maxPointsPerTransaction: most } = rule;
  const terms = [
    `${conversionRate} point${conversionRate === '1' ? '' : 's'} for each ${money(1, rule)}`,
    minSpendMinorUnits > 0 ? `from ${money(minSpendMinorUnits, rule)} on` : '',
    ROUNDED[rule.roundingPolicy],
    most === null ? '' : `at most ${pointsOf(most)} for a payment`,
  ];
  return terms.filter((term) => term !== '');
}

function refundedBy(refund: Omit<SentenceParams['refunded'], 'owed' | 'absorbed'>): string {
  const { refundedMinorUnits, target } = refund;
  return (
    `${money(refundedMinorUnits, refund)} of it had been refunded by then, ` +
    `worth ${pointsOf(target)} in all: `
  );
}

function contactsOf({ email, phone }: { email: boolean; phone: boolean }): string {
  const named = [email ? 'e-mail' : '', phone ? 'phone' : ''];
  return named.filter((name) => name !== '').join(' or ');
}

/** A month in words: `March 2026`. */
function monthOf(text: string): string {
  const { month, year } = momentOf(new Date(text), 'en', 'UTC');
  return `${month} ${year}`;
}

/** The first whole minute that is not before a time: `14 March 2026, 10:05`. */
function minuteFrom(at: string, timeZone: string): string {
  const rounded = new Date(Math.ceil(Date.parse(at) / 60_000) * 60_000);
  const { day, month, year, hour, minute } = momentOf(rounded, 'en', timeZone);
  return `${day} ${month} ${year}, ${hour}:${minute}`;
}

function counted(points: number, more = ''): string {
  return `${pointsOf(points)}${more} ${verb(points)}`;
}

function verb(points: number): string {
  return points === 1 ? 'was' : 'were';
}
