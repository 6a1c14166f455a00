import { type Awards, type Earning, earnWith, type Offers } from './earning.ts';
import type { PaymentId, UserId, WalletId } from './ids.ts';
import { type Match, matchConsumer } from './matching.ts';
import { type OpenOffers, offersOf } from './offers.ts';
import type { IngestionOutcome } from './outcomes.ts';
import type { NormalizedPayment } from './payment.ts';
import { type RefundPolicy, type Reversal, reverse } from './refund.ts';
import type { EarningTerms } from './reward-rule.ts';
import type { OutcomeReason } from './texts/coded-sentence.ts';

/** A stored payment, however it was ingested. */
export type KnownPayment = {
  id: PaymentId;
  outcome: IngestionOutcome;
  amountMinorUnits: number;
  refundedMinorUnits: number;
  points: number;
  /** The provider's time of the report that the refunded sum is from. */
  refundedAsOfMs: number;
  pointsReversed: number;
  pointsOwed: number;
  pointsWrittenOff: number;
  pointsAbsorbed: number;
  /** What its refunds have changed, where they absorbed anything. */
  reversals: readonly Reversal[] | null;
  walletId: WalletId | null;
  /** By which contacts a sign-up recognises its consumer; none unless it is anonymous. */
  contacts: { email: boolean; phone: boolean };
  /** Whether it names a customer of its provider. */
  hasCustomer: boolean;
  /** Its sale was made before the tenant had the account. */
  isBeforeConnection: boolean;
  /** When it was stored; absent while it is. */
  storedAtMs?: number;
};

/** What a decision about a payment depends on. */
export type Facts = {
  known: KnownPayment | null;
  /** The sale was made before the tenant had the account; absent when it was not. */
  isBeforeConnection?: boolean;
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  /** The rule in effect now, not at the time of the sale. */
  rule: (EarningTerms & { version: number }) | null;
  /** The tenant's; payments in another one earn nothing. Null until it is known. */
  currency: string | null;
  /** Whether the tenant is suspended: then nobody earns anything for now. */
  isSuspended: boolean;
  /** What sales may earn by besides the rule; absent where there is nothing. */
  open?: OpenOffers | null;
  /** What this sale earns by besides the rule: by default what fits of `open`. */
  offers?: Offers;
};

/** What led to the outcome, without personal data: the source of explanations. */
export type DecisionRecord = {
  amountMinorUnits: number;
  tipMinorUnits: number;
  currency: string;
  contacts: { email: boolean; phone: boolean };
  /** `late`: the consumer became known after the payment was stored. */
  match: { by: Match<UserId>['by']; conflict: boolean; late: boolean };
  rule: (EarningTerms & { version: number }) | null;
  earning: Earning | null;
  /** What was earned besides the rule's points, and these; absent where there was nothing. */
  awards?: Awards;
  /** The names of campaigns that gave some, by their ids, and of a tier, by its key. */
  names?: Readonly<Record<string, string>>;
  /** The sale was made before the tenant had the account, so that it earns nothing. */
  isBeforeConnection?: true;
  /** The tenant's currency, if the payment was in another one and earned nothing for that. */
  tenantCurrency?: string;
  /** Such a payment was refused before, as the tenant was suspended: it gets no campaign. */
  wasSuspended?: true;
  /** What refunds did to the points, oldest first. */
  reversals: Reversal[];
};

export type Decision = {
  outcome: IngestionOutcome;
  reason: OutcomeReason | null;
  userId: UserId | null;
  ruleVersion: number | null;
  points: number;
  /** Points to reverse at once, because the first report already carries a refund. */
  reversal: Reversal | null;
  record: DecisionRecord;
};

/** What of a payment its decision depends on. */
export type DecidablePayment = Pick<
  NormalizedPayment,
  | 'amountMinorUnits'
  | 'tipMinorUnits'
  | 'refundedMinorUnits'
  | 'currency'
  | 'occurredAt'
  | 'email'
  | 'phone'
> & {
  /** Absent while it is stored for the first time. */
  storedAt?: Date;
};

/**
 * Decides the outcome of a settled payment that is not stored yet: stored anonymously without a
 * consumer, else no credit while the tenant is suspended or without a rule, else credited. A credit
 * may be of 0 points; the reason then says why: first of all that the sale was made before the
 * tenant had the account, which is then nobody's, and next a currency other than the tenant's. A
 * payment that is refunded already is credited and reversed, so that the order of two reports does
 * not matter.
 */
export function decide(
  payment: DecidablePayment,
  facts: Omit<Facts, 'known'>,
  refunds: RefundPolicy,
): Decision {
  const match = matchConsumer(facts.userByEmail, facts.userByPhone);
  const contacts = { email: payment.email !== null, phone: payment.phone !== null };
  const record: DecisionRecord = {
    amountMinorUnits: payment.amountMinorUnits,
    tipMinorUnits: payment.tipMinorUnits,
    currency: payment.currency,
    contacts,
    match: { by: match.by, conflict: match.conflict, late: false },
    rule: facts.rule,
    earning: null,
    ...(facts.isBeforeConnection === true && { isBeforeConnection: true }),
    reversals: [],
  };
  const nothing = { userId: null, ruleVersion: null, points: 0, reversal: null, record };

  if (match.user === null) {
    const reason = contacts.email || contacts.phone ? 'no_match' : 'no_contacts';
    return { ...nothing, outcome: 'stored_anonymous', reason };
  }
  // Decided again once the tenant is reinstated, under the rule of then.
  if (facts.isSuspended) {
    return {
      ...nothing,
      userId: match.user,
      outcome: 'no_rule_no_credit',
      reason: 'tenant_suspended',
      record: { ...record, rule: null },
    };
  }
  if (facts.rule === null) {
    return { ...nothing, userId: match.user, outcome: 'no_rule_no_credit', reason: 'no_rule' };
  }
  const ruleVersion = facts.rule.version;
  if (facts.isBeforeConnection) {
    return { ...nothing, outcome: 'credited', reason: 'before_connection', ruleVersion };
  }
  if (facts.currency !== null && facts.currency !== payment.currency) {
    return {
      ...nothing,
      outcome: 'credited',
      reason: 'currency_mismatch',
      userId: match.user,
      ruleVersion,
      record: { ...record, tenantCurrency: facts.currency },
    };
  }
  const offers = facts.offers ?? offersOf(facts.open ?? null, payment, match.user);
  const offered = earnWith(payment.amountMinorUnits, facts.rule, offers);
  const { awards, isCappedToLimit, ...earning } = offered;
  const reversal = refunds === 'reverse' ? reversalOfNew(payment, earning.points) : null;
  return {
    outcome: 'credited',
    reason: isCappedToLimit ? 'capped_to_limit' : earning.zeroReason,
    userId: match.user,
    ruleVersion,
    points: earning.points,
    reversal,
    record: {
      ...record,
      earning,
      ...(awards !== null && { awards }),
      reversals: reversal === null ? [] : [reversal],
    },
  };
}

/** The credit comes first, so the balance covers what the refund reverses of it. */
function reversalOfNew(payment: DecidablePayment, points: number): Reversal | null {
  const { amountMinorUnits: paid, refundedMinorUnits: refunded } = payment;
  const none = { reversed: 0, owed: 0, writtenOff: 0, absorbed: 0 };
  const untouched = { earned: points, paid, refunded, ...none };
  return reverse(untouched, { balance: points, absorbable: 0 });
}

/** The same decision, made after the payment was stored. */
export function late(decision: Decision): Decision {
  const { record } = decision;
  return { ...decision, record: { ...record, match: { ...record.match, late: true } } };
}

/**
 * Decides an anonymous sale that somebody attaches to a member: as a late match, under the rule in
 * effect now, less what was refunded.
 */
export function decideAttached(
  sale: DecidablePayment,
  {
    memberId,
    ...facts
  }: Omit<Facts, 'known' | 'userByEmail' | 'userByPhone'> & {
    memberId: UserId;
  },
  refunds: RefundPolicy,
): Decision {
  const decision = late(
    decide(sale, { ...facts, userByEmail: memberId, userByPhone: null }, refunds),
  );
  const { record } = decision;
  return { ...decision, record: { ...record, match: { ...record.match, by: 'member' } } };
}
