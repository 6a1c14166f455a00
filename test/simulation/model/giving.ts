import { counted } from './campaigns.ts';
import { decidedFor, given, saleOf } from './ingesting.ts';
import type { Answer } from './redeeming.ts';
import { ruleOf, type State, UNKNOWN, type World } from './state.ts';

/** A try to attach a sale to a person, what was answered, and the points of `ok`. */
export type Gift = {
  by: 'till' | 'merchant';
  person: string;
  answer: Answer;
  points: number | null;
};

const MOST_OF_PERSON = 5;

/** The states after all of these, which came at the same moment and were answered like this. */
export function givenInSomeOrder(
  world: World,
  state: State,
  name: string,
  gifts: readonly Gift[],
): State[] {
  if (gifts.length === 0) return [state];
  return gifts.flatMap((first) => {
    const others = gifts.filter((gift) => gift !== first);
    return attached(world, state, name, first).flatMap((after) =>
      givenInSomeOrder(world, after, name, others),
    );
  });
}

function attached(world: World, state: State, name: string, gift: Gift): State[] {
  const { person, answer, points } = gift;
  if (answerToAttach(world, state, name, gift) !== answer) return [];
  if (answer !== 'ok') return [state];
  const before = state.payments[name] ?? UNKNOWN;
  const ends = before.isGiven
    ? [state]
    : decidedFor(world, state, saleOf(world, name), { ...before, person }).map((payment) =>
        counted(world, state, given(state, name, { ...payment, isGiven: true })),
      );
  return ends.filter((after) => after.payments[name]?.earned === points);
}

function answerToAttach(world: World, state: State, name: string, { by, person }: Gift): Answer {
  const payment = state.payments[name] ?? UNKNOWN;
  if (by === 'till' && world.validityMonths === undefined) return 'till_attach_off';
  if (payment.isGiven && payment.person === person) return 'ok';
  const isFree = payment.outcome === 'stored_anonymous' && payment.contacts === null;
  if (!isFree) return 'sale_taken';
  if (saleOf(world, name).isOld) return 'sale_too_old';
  if (ruleOf(world, state) === undefined) return 'no_rule';
  const own = Object.values(state.payments).filter((each) => each.isGiven);
  const ofPerson = own.filter((each) => each.person === person);
  return ofPerson.length < MOST_OF_PERSON ? 'ok' : 'member_limit';
}
