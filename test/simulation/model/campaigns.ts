import { takenBackBy } from './points.ts';
import type { Payment, PublishedCampaign, Sale, Spending, State, World } from './state.ts';

const NOTHING_SPENT: Spending = { seen: 0, given: 0, taken: 0 };

/**
 * The sets of campaigns, by their numbers, that a sale may get of a person who decides now: of
 * some it is not certain, as its clock was wrong, or as a budget is being used up meanwhile.
 */
export function possibleCampaigns(
  world: World,
  state: State,
  sale: Sale,
  person: string | null,
): number[][] {
  let sets: number[][] = [[]];
  world.campaigns.forEach((campaign, nth) => {
    const spent = state.spending[nth] ?? NOTHING_SPENT;
    const does = gets({ campaign, spent }, sale, hasBought(state, person));
    if (does === 'no') return;
    const having = sets.map((set) => [...set, nth]);
    sets = does === 'yes' ? having : sets.concat(having);
  });
  return sets;
}

function gets(
  { campaign, spent: { seen, given, taken } }: { campaign: PublishedCampaign; spent: Spending },
  sale: Sale,
  isBuyer: boolean,
): 'yes' | 'no' | 'maybe' {
  const { since, until, minSpend, isFirst, budget } = campaign;
  if (sale.amount < minSpend || (isFirst && isBuyer)) return 'no';
  if (budget !== null && seen - taken >= budget) return 'no';
  const isOfIts = sale.nth >= since && (until === null || sale.nth < until);
  if (sale.isDated && !isOfIts) return 'no';
  const isCertain = sale.isDated && (budget === null || seen + given < budget);
  return isCertain ? 'yes' : 'maybe';
}

function hasBought(state: State, person: string | null): boolean {
  return Object.values(state.payments).some((each) => each.person === person && each.earned > 0);
}

/** What a campaign has spent and for how many sales: refunds give back their part. */
export function spentBy(
  world: World,
  state: State,
  nth: number,
): { spent: number; awards: number } {
  let [spent, awards] = [0, 0];
  for (const [name, payment] of Object.entries(state.payments)) {
    const award = payment.awards[nth] ?? 0;
    if (award === 0) continue;
    awards += 1;
    spent += award - takenOf(world, name, payment, award);
  }
  return { spent, awards };
}

function takenOf(world: World, name: string, payment: Payment, award: number): number {
  const amount = world.sales.get(name)?.amount ?? 0;
  const refunded = payment.partsOf ?? payment.refunded;
  return world.policies.refunds === 'ignore' ? 0 : takenBackBy(award, refunded, amount);
}

/** A state that follows another, with what moved of each campaign's budget. */
export function counted(world: World, before: State, after: State): State {
  if (world.campaigns.length === 0) return after;
  const spending = world.campaigns.map((_, nth) => {
    const { seen, given, taken } = before.spending[nth] ?? NOTHING_SPENT;
    const moved = spentBy(world, after, nth).spent - spentBy(world, before, nth).spent;
    return { seen, given: given + Math.max(0, moved), taken: taken + Math.max(0, -moved) };
  });
  return { ...after, spending };
}

/** The state in which everybody sees what campaigns have spent: nothing is being decided. */
export function seenByAll(world: World, state: State): State {
  const spending = world.campaigns.map((_, nth) => {
    return { ...NOTHING_SPENT, seen: spentBy(world, state, nth).spent };
  });
  return { ...state, spending };
}
