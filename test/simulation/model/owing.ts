import {
  balanceOf,
  codePoints,
  everybody,
  expired,
  expiredOf,
  isDueBy,
  type Owed,
  type OwedMonth,
  ofPerson,
  openPoints,
  type State,
  sumOf,
  type World,
} from './state.ts';

/** The state after a month ahead was ended: what is due by then has expired, the rest is owed. */
export function afterMonth(world: World, state: State, ahead: number): State {
  const ended = [...new Set([...state.ended, ahead])].sort((one, other) => one - other);
  const people = isDueBy(world, ahead) ? everybody(world) : [];
  const begun: State = { ...state, ended };
  const after = people.reduce((before, person) => expired(before, person, ahead), begun);
  return { ...after, owed: { ...after.owed, [ahead]: owedAfter(world, after, ahead) } };
}

/** The state after a month ahead was to be ended that is skipped: nothing is counted anew. */
export function skippedMonth(state: State, ahead: number): State {
  return { ...state, owed: { ...state.owed, [ahead]: state.owed[ahead] ?? null } };
}

/** Nothing is counted in a month in which nothing could be due, nor where nobody had points. */
function owedAfter(world: World, state: State, ahead: number): Owed | null {
  const { validityMonths } = world;
  const people = everybody(world);
  const months = people.map((person) => monthOf(state, person, ahead));
  const isRead = typeof validityMonths === 'number' && ahead > validityMonths;
  if (!isRead || months.every(({ earned }) => earned === 0)) return null;
  const openCodes = sumOf(people, (person) => openPoints(state, person));
  const outstanding = sumOf(people, (person) => balanceOf(state, person)) + openCodes;
  // Of what an earlier month has taken nothing can be left.
  const isOver = state.ended.some((before) => before < ahead && isDueBy(world, before));
  return { months: isOver ? [] : [added(months)], openCodes, outstanding };
}

/**
 * What has become of a person's lots. All of a history are of one month; whatever else takes points
 * takes them of these, once.
 */
function monthOf(state: State, person: string, ahead: number): OwedMonth {
  const own = Object.values(state.payments).filter(ofPerson(person));
  const up = state.adjustedUp[person] ?? 0;
  const down = up - (state.adjusted[person] ?? 0);
  const taken = state.expired[person]?.[ahead] ?? 0;
  return {
    earned: up + sumOf(own, ({ earned }) => earned),
    reversed: sumOf(own, ({ reversed }) => reversed),
    used: down + codePoints(state, person) + expiredOf(state, person) - taken,
    expired: taken,
    left: balanceOf(state, person),
  };
}

function added(months: readonly OwedMonth[]): OwedMonth {
  return {
    earned: sumOf(months, ({ earned }) => earned),
    reversed: sumOf(months, ({ reversed }) => reversed),
    used: sumOf(months, ({ used }) => used),
    expired: sumOf(months, ({ expired: points }) => points),
    left: sumOf(months, ({ left }) => left),
  };
}
