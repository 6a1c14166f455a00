import { spentBy } from './campaigns.ts';
import { mostOf, type TierAward } from './points.ts';
import { takenOf } from './redeeming.ts';
import {
  availableOf,
  balanceOf,
  type Code,
  everybody,
  expiredOf,
  hasWallet,
  type Owed,
  openPoints,
  owedBy,
  pendingOf,
  recentPoints,
  ruleOf,
  type Standing,
  type State,
  type World,
} from './state.ts';
import { seesInvite } from './team.ts';
import { tierOf } from './tiers.ts';

export type WalletView = {
  balance: number;
  pending: number;
  available: number;
  owed: number;
  status: 'active' | 'frozen';
  /** The worth of the balance, and what a confirmation accepts. */
  worth: number;
  redeemable: { min: number; max: number };
  /** What the rule in effect gives; null without one. */
  earning: { rate: number; minSpend: number } | null;
  /** Of what is valid until when, all together. */
  valid: number;
  /** What the programme says to its owner. */
  tier: (Standing & { multiplier: number }) | null;
  /** What counts towards the tiers of today: no sale of the history is old enough. */
  qualifying: 0;
  /** The sum of the entries of each reason and source, such as `purchase s1`; credits count up. */
  entries: Record<string, number>;
};

export type SaleView = {
  outcome: string;
  person: string | null;
  points: number;
  refunded: number;
  reversed: number;
  owed: number;
  rule: number | null;
  /** Only of those that are credited. */
  reason: string | null;
  /** What the tier added. */
  tier: TierAward | null;
};

export type CodeView = Pick<Code, 'person' | 'points' | 'status' | 'isCancelled' | 'usedBy'>;

/** What the merchant's statistics sum up, of all times. */
export type StatisticsView = {
  sales: { count: number; amount: number };
  matched: { count: number; amount: number };
  earned: number;
  reversed: number;
  redeemed: number;
  used: number;
  returned: number;
  outstanding: number;
  liability: number;
  owed: number;
};

/** What is left of the wallet of somebody who was erased. */
export type ErasedView = Pick<WalletView, 'balance' | 'owed' | 'status' | 'entries'>;

/** What the service shows of a tenant, in the names of the history. */
export type View = {
  wallets: Record<string, WalletView>;
  erased: Record<string, ErasedView>;
  /** The roles of those who have signed in. */
  roles: Record<string, string>;
  /** Whom the merchant sees at the till, and who sees an invite of this shop. */
  team: { operators: string[]; invited: string[] };
  sales: Record<string, SaleView>;
  codes: Record<string, CodeView>;
  /** What the merchant's overview counts. */
  counts: { consumers: number; transactions: number };
  statistics: StatisticsView;
  /** What each campaign has given, less what refunds took back, and for how many sales. */
  campaigns: { spent: number; awards: number }[];
  /** How many of each reward are taken. */
  rewards: number[];
  /** What was owed after each month that was ended, by how many months it is ahead. */
  owed: Record<string, Owed | null>;
};

/** What the service shows in this state. */
export function viewOf(world: World, state: State): View {
  const owners = everybody(world).filter((person) => hasWallet(state, person));
  const ghosts = owners.filter((person) => world.erased.has(person));
  const present = owners.filter((person) => world.accounts.has(person));
  const wallets = present.map((person): [string, WalletView] => [
    person,
    {
      balance: balanceOf(state, person),
      pending: pendingOf(state, person),
      available: availableOf(state, person),
      owed: owedBy(state, person),
      status: world.frozen.has(person) ? 'frozen' : 'active',
      worth: balanceOf(state, person),
      redeemable: redeemableOf(world, state, person),
      earning: earningOf(world, state),
      valid: balanceOf(state, person),
      tier: shownTier(world, state, person),
      qualifying: 0,
      entries: entriesOf(state, person),
    },
  ]);
  const sales = Object.entries(state.payments).flatMap(([name, payment]): [string, SaleView][] => {
    const { outcome, person, earned, refunded, reversed, owed, rule, reason, tier } = payment;
    if (outcome === null) return [];
    const points = { points: earned, refunded, reversed, owed };
    return [[name, { outcome, person, ...points, rule, reason, tier }]];
  });
  const roles = [...world.accounts.keys()].map((person): [string, string] => [
    person,
    world.operators.has(person) ? 'pos_operator' : 'consumer',
  ]);
  return {
    wallets: sorted(wallets),
    erased: sorted(ghosts.map((ghost) => [ghost, leftOf(state, ghost)])),
    roles: sorted(roles),
    team: teamOf(world),
    sales: sorted(sales),
    codes: sorted(Object.entries(state.codes).map(([name, code]) => [name, shownOf(code)])),
    counts: { consumers: owners.length, transactions: sales.length },
    statistics: statisticsOf(world, state, owners),
    campaigns: world.campaigns.map((_, nth) => spentBy(world, state, nth)),
    rewards: world.rewards.map((_, nth) => takenOf(state, nth)),
    owed: state.owed,
  };
}

function leftOf(state: State, ghost: string): ErasedView {
  const left = { balance: balanceOf(state, ghost), owed: owedBy(state, ghost) };
  return { ...left, status: 'frozen', entries: entriesOf(state, ghost) };
}

function shownTier(world: World, state: State, person: string): WalletView['tier'] {
  const [tier, standing] = [tierOf(world, state, person), state.standings[person]];
  return tier && standing ? { ...standing, multiplier: tier.multiplier } : null;
}

function shownOf({ person, points, status, isCancelled, usedBy }: Code): CodeView {
  return { person, points, status, isCancelled, usedBy };
}

function redeemableOf(world: World, state: State, person: string): WalletView['redeemable'] {
  const available = availableOf(state, person);
  const terms = ruleOf(world, state)?.terms;
  const isStopped = world.isShopSuspended || world.frozen.has(person);
  const isRefused = terms === undefined || available < terms.minBalance || isStopped;
  const recent = recentPoints(state, person);
  const max = isRefused ? 0 : mostOf(available, recent, terms.percentage);
  return { min: Math.min(1, max), max };
}

function earningOf(world: World, state: State): WalletView['earning'] {
  const terms = ruleOf(world, state)?.terms;
  return terms === undefined ? null : { rate: terms.rate, minSpend: terms.minSpend };
}

function statisticsOf(world: World, state: State, owners: readonly string[]): StatisticsView {
  const payments = Object.entries(state.payments).filter(
    // Of the days around the history.
    ([name, { outcome }]) => outcome !== null && world.sales.get(name)?.isOld === false,
  );
  const matched = payments.filter(([, { outcome }]) => outcome !== 'stored_anonymous');
  const codes = Object.values(state.codes);
  const summed = (list: typeof payments): StatisticsView['sales'] => {
    const own = list.flatMap(([name]) => world.sales.get(name) ?? []);
    const counted = own.filter(({ currency }) => currency === world.currency);
    return { count: list.length, amount: sumOf(counted.map(({ amount }) => amount)) };
  };
  const outstanding = sumOf(
    owners.map((person) => balanceOf(state, person) + openPoints(state, person)),
  );
  return {
    sales: summed(payments),
    matched: summed(matched),
    earned: sumOf(payments.map(([, { earned }]) => earned)),
    reversed: sumOf(payments.map(([, { reversed }]) => reversed)),
    redeemed: sumOf(codes.map(({ points }) => points)),
    used: sumOf(codes.map(({ points, status }) => (status === 'used' ? points : 0))),
    returned: sumOf(codes.map(({ points, isReturned }) => (isReturned ? points : 0))),
    outstanding,
    liability: outstanding,
    owed: sumOf(payments.map(([, { owed }]) => owed)),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function teamOf(world: World): View['team'] {
  const invited = [...world.accounts.keys()].filter((person) => seesInvite(world, person));
  return { operators: [...world.operators].sort(), invited: invited.sort() };
}

/** The entries with their names in order, so that equal views have the same text. */
export function sorted<T>(entries: readonly [string, T][]): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function entriesOf(state: State, person: string): Record<string, number> {
  const sums: [string, number][] = [
    ['admin_adjustment', state.adjusted[person] ?? 0],
    ['points_expired', -expiredOf(state, person)],
  ];
  for (const [name, payment] of Object.entries(state.payments)) {
    if (payment.person !== person) continue;
    sums.push([`purchase ${name}`, payment.earned]);
    sums.push([`payment_refunded ${name}`, -payment.reversed]);
  }
  for (const [name, { points, isReturned, ...code }] of Object.entries(state.codes)) {
    if (code.person !== person) continue;
    sums.push([`redemption ${name}`, -points]);
    sums.push([`redemption_expired ${name}`, isReturned ? points : 0]);
  }
  return sorted(sums.filter(([, points]) => points !== 0));
}
