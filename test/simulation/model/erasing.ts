import type { Answer } from './redeeming.ts';
import { cancelOpen, expire } from './redeeming.ts';
import {
  balanceOf,
  type Code,
  ofPerson,
  type Payment,
  type State,
  type World,
  withPayment,
} from './state.ts';
import { forgetInTeam } from './team.ts';

/** Who may have a person erased: themselves, or an administrator. */
export type ErasedBy = 'person' | 'admin';

/** What a request to erase a person is answered. */
export function answerToErase(world: World, person: string, by: ErasedBy): Answer {
  if (by === 'admin') return 'ok';
  if (world.suspended.has(person)) return 'suspended';
  return world.everOperators.has(person) ? 'not_erasable' : 'ok';
}

/** Nobody is known as this person any more; who they were is called `ghost` from now on. */
export function forget(world: World, person: string, ghost: string): void {
  forgetInTeam(world, person);
  world.accounts.delete(person);
  for (const each of [world.frozen, world.suspended]) each.delete(person);
  world.erased.add(ghost);
  world.joined = world.joined.map((name) => (name === person ? ghost : name));
}

/** The state in which all that a person had is the ghost's; a tier is nobody's. */
export function renamed(state: State, person: string, ghost: string): State {
  const { [person]: _, ...standings } = state.standings;
  const isOwn = ofPerson(person);
  const nameOf = (name: string | null) => (name === person ? ghost : name);
  const payments = Object.entries(state.payments).map(([name, each]): [string, Payment] => [
    name,
    isOwn(each) ? { ...each, person: ghost } : each,
  ]);
  const codes = Object.entries(state.codes).map(([name, each]): [string, Code] => [
    name,
    { ...each, person: nameOf(each.person) ?? each.person, usedBy: nameOf(each.usedBy) },
  ]);
  return {
    ...state,
    payments: Object.fromEntries(payments),
    codes: Object.fromEntries(codes),
    adjusted: moved(state.adjusted, person, ghost),
    adjustedUp: moved(state.adjustedUp, person, ghost),
    expired: moved(state.expired, person, ghost),
    standings,
    tierChanges: state.tierChanges.map((each) => (isOwn(each) ? { ...each, person: ghost } : each)),
  };
}

function moved<T>(of: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  return Object.fromEntries(
    Object.entries(of).map(([key, each]) => [key === from ? to : key, each]),
  );
}

/** The state in which a ghost's wallet is closed: no code is open, nothing is owed or left. */
export function closedWallet(world: World, state: State, ghost: string): State {
  const overdue = Object.entries(state.codes).filter(
    ([, { person, status, isOverdue }]) => person === ghost && status === 'issued' && isOverdue,
  );
  const expired = overdue.reduce((before, [name]) => expire(world, before, name), state);
  const ended = cancelOpen(world, expired, ghost);
  const writtenOff = ended.debts
    .filter((name) => ended.payments[name]?.person === ghost)
    .reduce((before, name) => withoutDebt(before, name), ended);
  const points = (writtenOff.adjusted[ghost] ?? 0) - balanceOf(writtenOff, ghost);
  return { ...writtenOff, adjusted: { ...writtenOff.adjusted, [ghost]: points } };
}

function withoutDebt(state: State, name: string): State {
  const payment = state.payments[name];
  if (payment === undefined) return state;
  const writtenOff = payment.writtenOff + payment.owed;
  return withPayment(state, name, { ...payment, owed: 0, writtenOff });
}
