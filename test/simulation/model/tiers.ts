import type { Tier } from '../steps.ts';
import {
  hasWallet,
  type Standing,
  type State,
  type TierChange,
  UNKNOWN,
  type World,
} from './state.ts';

/** For how many days a tier is kept, and of how many days sales count. */
const TERM_DAYS = 365;
/** For so many days at least a sale does not count yet. */
const LEAST_WAIT_DAYS = 14;

/** The tier of a person by what the programme says now; undefined for none. */
export function tierOf(world: World, state: State, person: string | null): Tier | undefined {
  const key = person === null ? undefined : state.standings[person]?.key;
  return world.tiers.find((tier) => tier.key === key);
}

/** The state after a night has decided for a day which tiers all have who have a wallet. */
export function afterNight(world: World, state: State, day: number): State {
  const standings: Record<string, Standing> = {};
  const tierChanges = [...state.tierChanges];
  for (const person of [...world.accounts.keys()].sort()) {
    const before = state.standings[person];
    const isDecided = hasWallet(state, person);
    const after = isDecided
      ? judged(world, before, { day, spent: spentBy(world, state, { person, day }) })
      : before;
    if (after !== undefined) standings[person] = after;
    tierChanges.push(...changeOf(world, person, { before, after }));
  }
  return { ...state, standings, tierChanges };
}

/** What is told of a standing that a night has decided: nothing if the tier is the same. */
function changeOf(
  { tiers }: World,
  person: string,
  { before, after }: { before: Standing | undefined; after: Standing | undefined },
): TierChange[] {
  const rankOf = (key: string | undefined) => tiers.findIndex((tier) => tier.key === key);
  const [from, to] = [rankOf(before?.key), rankOf(after?.key)];
  if (from === to) return [];
  const keyOf = (rank: number) => tiers[rank]?.key ?? null;
  const cause = to > from ? 'reached' : 'term_ended';
  return [{ person, from: keyOf(from), to: keyOf(to), cause }];
}

/** What counts of a person's sales towards the tiers of a day, less what is known as refunded. */
function spentBy(
  world: World,
  state: State,
  { person, day }: { person: string; day: number },
): number {
  const end = day - Math.max(LEAST_WAIT_DAYS, world.windowDays);
  let spent = 0;
  for (const [name, sale] of world.sales) {
    const payment = state.payments[name] ?? UNKNOWN;
    const isOwn = payment.person === person && payment.outcome === 'credited';
    if (!isOwn || sale.currency !== world.currency || sale.isOld) continue;
    if (sale.day < end - TERM_DAYS || sale.day >= end) continue;
    spent += Math.max(0, sale.amount - payment.refunded);
  }
  return spent;
}

function judged(
  { tiers }: World,
  before: Standing | undefined,
  { day, spent }: { day: number; spent: number },
): Standing | undefined {
  const reached = tiers.filter(({ threshold }) => spent >= threshold).at(-1);
  const present = tiers.find(({ key }) => key === before?.key);
  const anew = reached && { key: reached.key, since: day, keptUntil: day + TERM_DAYS };
  if (reached !== undefined && reached.threshold > (present?.threshold ?? 0)) return anew;
  if (before === undefined || day < before.keptUntil) return before;
  return anew && { ...anew, since: anew.key === before.key ? before.since : day };
}
