import { counted } from './campaigns.ts';
import { decideAgain, isAwaited, isPutOff, learn, match } from './ingesting.ts';
import { expire } from './redeeming.ts';
import { type State, UNKNOWN, type World } from './state.ts';

export type Next = {
  state: State;
  /** Whether it has to happen before everything is settled. */
  isDue: boolean;
};

/** What the service may do next by itself, and whether it has to before all is settled. */
export function nextsOf(world: World, state: State): Next[] {
  const nexts: Next[] = [];
  const add = (states: readonly State[], isDue: boolean) => {
    for (const next of states) nexts.push({ state: counted(world, state, next), isDue });
  };
  for (const [name, { versions, mustKnow, owner }] of world.sales) {
    if (owner === 'rival') continue;
    const payment = state.payments[name] ?? UNKNOWN;
    for (let version = payment.known + 1; version < versions.length; version++) {
      const isDue = payment.known < mustKnow;
      add(learn(world, state, name, version), isDue);
    }
    if (isAwaited(world, payment)) add(match(world, state, name), true);
    if (isPutOff(world, payment)) add([decideAgain(world, state, name)], true);
  }
  for (const [name, { status, isOverdue }] of Object.entries(state.codes)) {
    if (status === 'issued' && isOverdue) {
      nexts.push({ state: expire(world, state, name), isDue: true });
    }
  }
  world.rules.forEach(({ from }, index) => {
    const version = index + 1;
    if (from !== 'soon' || state.rules.includes(version)) return;
    const rules = [...state.rules, version].sort((one, other) => one - other);
    nexts.push({ state: { ...state, rules }, isDue: true });
  });
  return nexts;
}

/** More states than this mean that too much happens between two checkpoints. */
const MOST_STATES = 30_000;

/** The states, with every other one that the service may have reached from them by itself. */
export function withReached(world: World, states: readonly State[]): State[] {
  const found = new Map(states.map((state) => [JSON.stringify(state), state]));
  // The map grows while it is read.
  for (const state of found.values()) {
    for (const { state: next } of nextsOf(world, state)) {
      const key = JSON.stringify(next);
      if (!found.has(key)) found.set(key, next);
    }
    if (found.size > MOST_STATES) {
      throw new Error('Too much happens between two checkpoints: add checkpoints.');
    }
  }
  return [...found.values()];
}
