import type { Buyer, Campaign, Policies, Provider, Reward, Terms, Tier } from '../steps.ts';
import type { TierAward } from './points.ts';

export type InviteStatus = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed';

/** A sale at its provider, at a moment. */
export type Version = {
  state: 'pending' | 'settled' | 'cancelled' | 'voided';
  refunded: number;
  buyer: Buyer | null;
};

export type Sale = {
  provider: Provider;
  amount: number;
  currency: string;
  versions: Version[];
  /** Made long before the shop was connected. */
  isOld: boolean;
  /** Whether the provider's clock was right, so that it is certain in whose time it was made. */
  isDated: boolean;
  /** On which day of the shop it was rung, counted. */
  day: number;
  /** The newest version that the service must learn; -1 for none. */
  mustKnow: number;
  /** `rival`: made while another tenant had the account, who has it for good. */
  owner: 'shop' | 'nobody' | 'rival' | 'either';
  /** Whether its newest version is from before another tenant left: no poll looks for it. */
  isPassedOver: boolean;
  /** How many sales were rung before. */
  nth: number;
};

/** What is known of a sale when it is rung. */
export type NewSale = Pick<Sale, 'provider' | 'amount' | 'currency' | 'isOld' | 'isDated' | 'day'>;

export type Account = { email: string | null; phone: string | null; isVerified: boolean };

export type Rule = { terms: Terms; from: 'now' | 'soon' | 'later' };

/** A campaign of the shop, and for which sales it is, by the order in which they were rung. */
export type PublishedCampaign = Campaign & { since: number; until: number | null };

/** What is known of a campaign's spending: as all could see it, and what moved since. */
export type Spending = { seen: number; given: number; taken: number };

/** What is certain: it happened at the providers, or the service has confirmed it. */
export type World = {
  policies: Policies;
  /** The currency of the merchant's accounts, and so the tenant's. */
  currency: string;
  sales: Map<string, Sale>;
  accounts: Map<string, Account>;
  /** The first is version 1. */
  rules: Rule[];
  frozen: Set<string>;
  /** The accounts that work. */
  connected: Set<Provider>;
  /** Those that the shop is connected to, and whose provider refuses its tokens. */
  revoked: Set<Provider>;
  /** Those that another tenant is connected to, and those that one ever was. */
  taken: Set<Provider>;
  everTaken: Set<Provider>;
  /** What has become of the newest invite of each person. */
  invites: Map<string, InviteStatus>;
  /** Who works at the till, and who ever did. */
  operators: Set<string>;
  everOperators: Set<string>;
  /** Who began to work there, as often as they did. */
  joined: string[];
  /** The people, and `merchant`, whose requests are refused. */
  suspended: Set<string>;
  /** The names of those who were erased, none of which is a person's. */
  erased: Set<string>;
  isShopSuspended: boolean;
  /** For how many days the points of new sales wait, none of which a history takes. */
  windowDays: number;
  /** What the newest version of the programme says; undefined without one. */
  validityMonths: number | null | undefined;
  /** The lowest first. */
  tiers: readonly Tier[];
  campaigns: PublishedCampaign[];
  rewards: (Reward & { isEnded: boolean })[];
  /** Whether the shop was ever suspended: for 14 days after that nothing expires. */
  wasShopSuspended: boolean;
};

/** Points that a refund has taken of a sale. */
export type Taken = { from: 'absorbed' | 'reversed' | 'owed'; points: number };

/** What the service knows of a sale, and what it made of it. */
export type Payment = {
  /** The newest version that it has learnt; -1 for none. */
  known: number;
  outcome: 'stored_anonymous' | 'no_rule_no_credit' | 'credited' | null;
  reason: string | null;
  /** Contacts by which a later sign-up is recognised. */
  contacts: Buyer | null;
  person: string | null;
  rule: number | null;
  refunded: number;
  earned: number;
  reversed: number;
  owed: number;
  /** What an erasure has given up, and refunds after it. */
  writtenOff: number;
  /** What had expired of it before it was refunded. */
  absorbed: number;
  /** From where refunds have taken it, what was taken last at the end. */
  taken: readonly Taken[];
  /** Whether its points wait, as it was stored while sales could be returned. */
  waits: boolean;
  /** What was refunded when campaigns last got back their part; null if that is all of it. */
  partsOf: number | null;
  /** Whether it was attached to its person at the till. */
  isGiven: boolean;
  /** What campaigns gave, by their numbers. */
  awards: Readonly<Record<number, number>>;
  tier: TierAward | null;
};

export type Code = {
  person: string;
  points: number;
  status: 'issued' | 'used' | 'expired';
  isOverdue: boolean;
  isCancelled: boolean;
  isReturned: boolean;
  /** Which reward it is for, by its number; null for points. */
  reward: number | null;
  /** Who used it: somebody of the history, or the operator whom every shop has. */
  usedBy: string | null;
};

/** The operator whom every shop has, who is nobody of the history. */
export const TILL = 'till';

/** The tier that a person has, from which day on, and on which day it is judged. */
export type Standing = { key: string; since: number; keptUntil: number };

/** Somebody has another tier, as the shop's own systems are told; null for none. */
export type TierChange = {
  person: string;
  from: string | null;
  to: string | null;
  cause: 'reached' | 'term_ended';
};

/** What had become by the end of a month of all points that were earned. */
export type OwedMonth = Record<'earned' | 'reversed' | 'used' | 'expired' | 'left', number>;

/** What was owed after a month that was ended; no month in it if what was earned had expired. */
export type Owed = { months: readonly OwedMonth[]; openCodes: number; outstanding: number };

/** One of the states in which the service may be. It is never changed, only replaced. */
export type State = {
  payments: Readonly<Record<string, Payment>>;
  codes: Readonly<Record<string, Code>>;
  /** Points that administrators gave and took, and only those that they gave. */
  adjusted: Readonly<Record<string, number>>;
  adjustedUp: Readonly<Record<string, number>>;
  /** Points of each person that have expired, by the month that took them. */
  expired: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** By how many months those are ahead that were ended, the nearest first. */
  ended: readonly number[];
  /** What was owed after each of them; null where it was not counted. */
  owed: Readonly<Record<number, Owed | null>>;
  /** The tiers of those who have one, in the order of their names. */
  standings: Readonly<Record<string, Standing>>;
  /** How that came about. */
  tierChanges: readonly TierChange[];
  /** Sales that owe points, in the order in which they began to. */
  debts: readonly string[];
  /** The versions of rules whose date has come. */
  rules: readonly number[];
  /** What is known of the spending of each campaign. */
  spending: readonly Spending[];
};

export const FIRST_STATE: State = {
  payments: {},
  codes: {},
  adjusted: {},
  adjustedUp: {},
  expired: {},
  ended: [],
  owed: {},
  standings: {},
  tierChanges: [],
  debts: [],
  rules: [],
  spending: [],
};

export const UNKNOWN: Payment = {
  known: -1,
  outcome: null,
  reason: null,
  contacts: null,
  person: null,
  rule: null,
  refunded: 0,
  earned: 0,
  reversed: 0,
  owed: 0,
  writtenOff: 0,
  absorbed: 0,
  taken: [],
  waits: false,
  partsOf: null,
  isGiven: false,
  awards: {},
  tier: null,
};

/** Returns the state with this payment instead, and its debt in the queue or out of it. */
export function withPayment(state: State, sale: string, payment: Payment): State {
  const others = state.debts.filter((debt) => debt !== sale);
  const isListed = others.length < state.debts.length;
  const debts = payment.owed === 0 ? others : isListed ? state.debts : [...others, sale];
  return { ...state, payments: { ...state.payments, [sale]: payment }, debts };
}

/**
 * Returns the state in which a person has paid what their refunded sales owe, the oldest first, as
 * far as the wallet holds it: what follows whenever it gets points.
 */
export function paid(state: State, person: string | null): State {
  const owing = state.debts.filter((sale) => state.payments[sale]?.person === person);
  return owing.reduce((before, sale) => {
    const payment = before.payments[sale] ?? UNKNOWN;
    const points = Math.min(payment.owed, person === null ? 0 : balanceOf(before, person));
    const { owed, reversed } = payment;
    return withPayment(before, sale, {
      ...payment,
      owed: owed - points,
      reversed: reversed + points,
      taken: settled(payment.taken, points),
    });
  }, state);
}

/** A debt that is paid counts as taken from the balance, the oldest first. */
function settled(taken: readonly Taken[], paidPoints: number): Taken[] {
  let rest = paidPoints;
  return taken.flatMap((each): Taken[] => {
    if (each.from !== 'owed' || rest === 0) return [each];
    const points = Math.min(rest, each.points);
    rest -= points;
    const left: Taken[] = each.points > points ? [{ ...each, points: each.points - points }] : [];
    return [{ from: 'reversed', points }, ...left];
  });
}

/**
 * Returns the state in which what a person holds has expired, if a month was ended by which it was
 * due: what follows at once when points come back, after debts were paid. All points of a history
 * are earned in one month.
 */
export function pastTaken(world: World, state: State, person: string | null): State {
  const newest = Math.max(0, ...state.ended);
  if (person === null || !isDueBy(world, newest)) return state;
  return expired(state, person, newest);
}

/** Whether what is earned now is due so many months ahead: it counts from the next month on. */
export function isDueBy({ validityMonths }: World, ahead: number): boolean {
  return typeof validityMonths === 'number' && ahead > Math.max(validityMonths, 3);
}

/** Returns the state in which what a person holds has expired by the end of a month. */
export function expired(state: State, person: string, month: number): State {
  const points = Math.max(0, balanceOf(state, person));
  if (points === 0) return state;
  const before = state.expired[person] ?? {};
  const own = { ...before, [month]: (before[month] ?? 0) + points };
  return { ...state, expired: { ...state.expired, [person]: own } };
}

/** The points of a person that have expired. */
export function expiredOf(state: State, person: string): number {
  return sumOf(Object.values(state.expired[person] ?? {}), (points) => points);
}

/** What refunds of a person's sales can absorb: what has expired, and was not absorbed before. */
export function absorbableOf(state: State, person: string): number {
  const own = Object.values(state.payments).filter(ofPerson(person));
  return expiredOf(state, person) - sumOf(own, ({ absorbed }) => absorbed);
}

/** Returns the state with this code instead. */
export function withCode(state: State, name: string, code: Code): State {
  return { ...state, codes: { ...state.codes, [name]: code } };
}

/** The points in a person's wallet. */
export function balanceOf(state: State, person: string): number {
  const own = ofPerson(person);
  const earned = sumOf(Object.values(state.payments).filter(own), (each) => each.earned);
  const reversed = sumOf(Object.values(state.payments).filter(own), (each) => each.reversed);
  const gone = codePoints(state, person) + expiredOf(state, person);
  return (state.adjusted[person] ?? 0) + earned - reversed - gone;
}

/** The points in a person's codes that have not come back. */
export function codePoints(state: State, person: string): number {
  const own = Object.values(state.codes).filter(ofPerson(person));
  return sumOf(own, ({ points, isReturned }) => (isReturned ? 0 : points));
}

/** The points of a person's sales that can still be returned: more than the balance, maybe. */
export function pendingOf(state: State, person: string): number {
  const waiting = Object.values(state.payments).filter(({ waits }) => waits);
  return sumOf(
    waiting.filter(ofPerson(person)),
    ({ earned, reversed, owed, absorbed }) => earned - reversed - owed - absorbed,
  );
}

/** The points that a person can redeem, as far as what waits goes. */
export function availableOf(state: State, person: string): number {
  return Math.max(0, balanceOf(state, person) - pendingOf(state, person));
}

/**
 * The points in a person's codes that are open or were used, but for rewards; a history takes less
 * than a day.
 */
export function recentPoints(state: State, person: string): number {
  const recent = Object.values(state.codes).filter(
    ({ status, reward }) => status !== 'expired' && reward === null,
  );
  return sumOf(recent.filter(ofPerson(person)), ({ points }) => points);
}

/** The points in a person's open codes. */
export function openPoints(state: State, person: string): number {
  const open = Object.values(state.codes).filter(({ status }) => status === 'issued');
  return sumOf(open.filter(ofPerson(person)), ({ points }) => points);
}

/** The points that a person's refunded sales owe. */
export function owedBy(state: State, person: string): number {
  return sumOf(Object.values(state.payments).filter(ofPerson(person)), ({ owed }) => owed);
}

/** Whether a person has a wallet: it is made when the first points are earned, or attached. */
export function hasWallet(state: State, person: string): boolean {
  return Object.values(state.payments).some(
    (each) => each.person === person && (each.earned > 0 || each.isGiven),
  );
}

/** The rule in effect with its version: the highest whose date has come. */
export function ruleOf(world: World, state: State): { version: number; terms: Terms } | undefined {
  const version = Math.max(0, ...state.rules);
  const rule = world.rules[version - 1];
  return rule && { version, terms: rule.terms };
}

/** Whom contacts belong to: by the verified e-mail first, then by the phone. */
export function ownerOf(world: World, contacts: Buyer | null): string | undefined {
  if (contacts === null) return undefined;
  const owner = (kind: 'email' | 'phone') =>
    [...world.accounts].find(
      ([, account]) =>
        account.isVerified && contacts[kind] !== null && account[kind] === contacts[kind],
    )?.[0];
  return owner('email') ?? owner('phone');
}

/** All who have, or had, a wallet: those who have signed in, and those who were erased. */
export function everybody({ accounts, erased }: World): string[] {
  return [...accounts.keys(), ...erased];
}

export function sumOf<T>(items: readonly T[], part: (item: T) => number): number {
  return items.reduce((sum, item) => sum + part(item), 0);
}

export function ofPerson(person: string) {
  return (each: { person: string | null }) => each.person === person;
}

/** Why nothing expires at a shop; null if it does. */
export function skipReasonOf(world: World, state: State): string | null {
  if (world.wasShopSuspended) return 'suspended';
  return ruleOf(world, state) === undefined ? 'no_rule' : null;
}

/** Who had the account when a sale was made, as far as that is certain. */
export function ownerOfNew(world: World, { provider, isOld, isDated }: NewSale): Sale['owner'] {
  const { connected, revoked, taken, everTaken } = world;
  const isOurs = connected.has(provider) || revoked.has(provider);
  if (isOld) return isOurs ? 'shop' : 'either';
  if (everTaken.has(provider) && !isDated) return 'either';
  if (taken.has(provider)) return 'rival';
  return isOurs ? 'shop' : 'nobody';
}
