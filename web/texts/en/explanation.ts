import { decimal, moment, money, monthOf, number, unitOf } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import type { ExplanationTexts, SentenceParams } from '../texts.ts';

/** Every sentence of an explanation, by its code. One that is missing does not compile. */
export const explanationTexts: ExplanationTexts = {
  earned: ({ points, takenBack }, to) => {
    const earned = `${to === 'customer' ? 'You' : 'The customer'} earned ${pointsText(points)}`;
    if (takenBack === 0) return `${earned}.`;
    return `${earned}. ${number(takenBack)} of them ${were(takenBack)} taken back after a refund.`;
  },
  earned_nothing: (params, to) => {
    const nothing = to === 'customer' ? 'You earned no points' : 'No points were earned';
    if (params.reason === null) return `${nothing}.`;
    return `${nothing}: ${NOTHING[params.reason](params)}.`;
  },
  paid: ({ amountMinorUnits, tipMinorUnits, currency }, to) => {
    const amount = money(amountMinorUnits, currency);
    const paid = to === 'customer' ? `You paid ${amount}` : `The sale was ${amount}`;
    if (tipMinorUnits <= 0) return `${paid}.`;
    return `${paid}, and a tip of ${money(tipMinorUnits, currency)}. Tips earn no points.`;
  },
  recognised: ({ by, conflict, late }, to) => {
    const who = to === 'customer' ? 'You were' : 'The customer was';
    const contact = by === 'email' ? 'e-mail address' : 'phone number';
    const whose = to === 'customer' ? 'your' : 'their';
    if (by === 'member') return `${who} recognised by ${whose} member code, at the till.`;
    const found = `${who} recognised by ${whose} ${contact}${late ? ', after the purchase' : ''}.`;
    return conflict ? `${found} The phone number of the purchase is another customer’s.` : found;
  },
  not_recognised: (contacts) =>
    contacts.email || contacts.phone
      ? `No customer is known by its ${contactsOf(contacts)}.`
      : 'It had neither an e-mail address nor a phone number.',
  rule: (rule, to) =>
    `${to === 'customer' ? 'The shop' : 'Your shop'} gave ${termsOf(rule).join(', ')}.`,
  no_rule: () => 'The shop gave no points at the time.',
  other_currency: ({ currency, tenantCurrency }) =>
    `The shop gives points for ${tenantCurrency}, and this was paid in ${currency}.`,
  less_than_minimum: ({ amountMinorUnits, minSpendMinorUnits, currency }) =>
    `${money(amountMinorUnits, currency)} is less than ${money(minSpendMinorUnits, currency)}.`,
  calculated: ({ amountMinorUnits, currency, conversionRate, exact, rounded, roundingPolicy }) => {
    const rate = decimal(Number(conversionRate) * unitOf(currency));
    const product = `${money(amountMinorUnits, currency)} × ${rate} =`;
    const points = pointsText(Number(rounded));
    if (exact === rounded) return `${product} ${points}.`;
    return `${product} ${decimal(Number(exact))}, ${ROUNDED[roundingPolicy]} ${points}.`;
  },
  campaign_multiplies: ({ campaign, multiplier, rounded, instead }) =>
    `“${campaign}” made it ${decimal(multiplier)} times as much: ` +
    `${pointsText(Number(rounded))} instead of ${number(instead)}.`,
  tier_multiplies: ({ tier, multiplier, rounded, instead }, to) =>
    `As a ${tier} member ${to === 'customer' ? 'you get' : 'they get'} ${decimal(multiplier)} ` +
    `times as much: ${pointsText(Number(rounded))} instead of ${number(instead)}.`,
  campaign_adds: ({ campaign, points }) => `“${campaign}” added ${pointsText(points)}.`,
  capped_by_rule: ({ points }) => `A purchase earns at most ${pointsText(points)} there.`,
  capped_to_limit: ({ points }) => `No purchase can earn more than ${pointsText(points)}.`,
  refunded: ({ refundedMinorUnits, currency, points, owed, absorbed }, to) => {
    const refund = `${money(refundedMinorUnits, currency)} of it ${
      to === 'customer' ? 'was paid back to you' : 'was refunded'
    }, and ${pointsText(points)} ${were(points)} taken back.${
      absorbed > 0 ? ` ${pointsText(absorbed)} more had expired before.` : ''
    }`;
    if (owed <= 0) return refund;
    const from = to === 'customer' ? 'your next points' : 'the customer’s next points';
    return `${refund} ${pointsText(owed)} more will be taken from ${from}.`;
  },
  refund_failed: ({ points, owed, absorbed }) => {
    const given = `A refund failed, and ${pointsText(points)} came back.${
      absorbed > 0 ? ` ${pointsText(absorbed)} more had expired, and do not count for it.` : ''
    }`;
    if (owed <= 0) return given;
    return `${given} ${pointsText(owed)} will no longer be taken.`;
  },
  debt_paid: ({ points }) =>
    `${pointsText(points)} ${were(points)} taken back later, from new points.`,
  written_off: ({ points }) =>
    `${pointsText(points)} ${were(points)} not taken back: the account was erased.`,
  usable_from: ({ at }) =>
    `They can be used from ${moment(at)} on, when the purchase can no longer be returned.`,
  points_expired: ({ points }) => `${pointsText(points)} expired.`,
  expired_by: ({ earnedBy, month }) =>
    `They were earned by ${monthName(earnedBy)} and could be used until the end of ` +
    `${monthName(month)}.`,
  usable_longer: ({ balance, longer }) =>
    `The balance was ${number(balance)}, and ${number(longer)} of it can be used longer.`,
  redeemed: ({ points }) => `You exchanged ${pointsText(points)} for a code.`,
  taken_at_confirmation: () => 'The points were taken when you got the code.',
  code_open: () => 'The code can still be used.',
  code_used: () => 'The code was used at the till.',
  code_expired: () => 'The code was not used, and has expired.',
  code_cancelled: () => 'The code was cancelled before it was used.',
  points_came_back: ({ points }) => `You got ${pointsText(points)} back.`,
  because_cancelled: () => 'The code that you had got for them was cancelled.',
  because_unused: () => 'The code that you had got for them was not used in time.',
  taken_back: ({ points }) => `${pointsText(points)} ${were(points)} taken back.`,
  given_back: ({ points }) => `${pointsText(points)} came back.`,
  because_refunded: () => 'The purchase that had earned them was refunded.',
  because_refund_failed: () => 'The refund of the purchase that had earned them failed.',
  added_by_hand: ({ points }) => `${pointsText(points)} ${were(points)} added by hand.`,
  taken_by_hand: ({ points }) => `${pointsText(points)} ${were(points)} taken by hand.`,
  brought_over: () => 'The shop brought your points over from before.',
  brought_over_in_error: () => 'They had been brought over from before in error.',
  corrected_by_administrator: () => 'Somebody of the service corrected the balance.',
};

/** A month of the service's, whatever clocks are shown: its middle is in it everywhere. */
const monthName = (month: string) => monthOf(`${month}-15`);

type Nothing = SentenceParams['earned_nothing'];

const NOTHING: { [Why in NonNullable<Nothing['reason']>]: (params: Nothing) => string } = {
  duplicate: () => 'the purchase had been counted before',
  zero_amount: () => 'nothing was paid',
  below_minimum: ({ minSpendMinorUnits, currency }) =>
    `the shop gives them from a purchase of ${money(minSpendMinorUnits ?? 0, currency)} on`,
  rounded_to_zero: () => 'the amount is worth less than a point',
  capped_to_zero: () => 'a purchase earns at most 0 points there',
  capped_to_limit: () => 'no purchase can earn more',
  no_contacts: () => 'the sale had neither an e-mail address nor a phone number',
  no_match: (contacts) => `no customer is known by the sale’s ${contactsOf(contacts)}`,
  no_rule: () => 'the shop gave none at the time',
  tenant_suspended: () => 'the shop is suspended. It is counted once that ends',
  before_connection: () => 'the sale was before the shop collected points',
  currency_mismatch: ({ currency, tenantCurrency }) =>
    `it was paid in ${currency}, and the shop gives points for ${tenantCurrency}`,
};

const ROUNDED = {
  floor: 'rounded down to',
  ceil: 'rounded up to',
  round: 'rounded to',
} satisfies Record<SentenceParams['calculated']['roundingPolicy'], string>;

function termsOf({ conversionRate, currency, ...rule }: SentenceParams['rule']): string[] {
  const { minSpendMinorUnits: least, maxPointsPerTransaction: most } = rule;
  const unit = unitOf(currency);
  const points = Number(conversionRate) * unit;
  const shown = points === 1 ? '1 point' : `${decimal(points)} points`;
  return [
    `${shown} for each ${money(unit, currency)}`,
    ...(least > 0 ? [`from a purchase of ${money(least, currency)} on`] : []),
    ...(most === null ? [] : [`at most ${pointsText(most)} for a purchase`]),
  ];
}

function contactsOf({ email, phone }: { email: boolean; phone: boolean }): string {
  if (email && phone) return 'e-mail address or phone number';
  return email ? 'e-mail address' : 'phone number';
}

function were(points: number): string {
  return points === 1 ? 'was' : 'were';
}
