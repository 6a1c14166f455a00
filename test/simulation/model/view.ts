import { balanceOf, hasWallet, type State, type World } from './state.ts';
import { seesInvite } from './team.ts';

export type WalletView = {
  balance: number;
  status: 'active' | 'frozen';
  /** The sum of the entries of each reason and source, such as `purchase s1`; credits count up. */
  entries: Record<string, number>;
};

export type SaleView = {
  outcome: string;
  person: string | null;
  points: number;
  refunded: number;
  reversed: number;
  rule: number | null;
  /** Only of those that are credited. */
  reason: string | null;
};

/** What the service shows of a tenant, in the names of the history. */
export type View = {
  wallets: Record<string, WalletView>;
  /** The roles of those who have signed in. */
  roles: Record<string, string>;
  /** Whom the merchant sees at the till, and who sees an invite of this shop. */
  team: { operators: string[]; invited: string[] };
  sales: Record<string, SaleView>;
  codes: Record<string, string>;
  /** What the merchant's overview counts. */
  counts: { consumers: number; transactions: number };
};

/** What the service shows in this state. */
export function viewOf(world: World, state: State): View {
  const owners = [...world.accounts.keys()].filter((person) => hasWallet(state, person));
  const wallets = owners.map((person): [string, WalletView] => [
    person,
    {
      balance: balanceOf(state, person),
      status: world.frozen.has(person) ? 'frozen' : 'active',
      entries: entriesOf(state, person),
    },
  ]);
  const sales = Object.entries(state.payments).flatMap(([name, payment]): [string, SaleView][] => {
    const { outcome, person, earned, refunded, reversed, rule, reason } = payment;
    if (outcome === null) return [];
    return [[name, { outcome, person, points: earned, refunded, reversed, rule, reason }]];
  });
  const roles = [...world.accounts.keys()].map((person): [string, string] => [
    person,
    world.operators.has(person) ? 'pos_operator' : 'consumer',
  ]);
  return {
    wallets: sorted(wallets),
    roles: sorted(roles),
    team: teamOf(world),
    sales: sorted(sales),
    codes: sorted(Object.entries(state.codes).map(([name, code]) => [name, code.status])),
    counts: { consumers: wallets.length, transactions: sales.length },
  };
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
  const sums: [string, number][] = [['admin_adjustment', state.adjusted[person] ?? 0]];
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
