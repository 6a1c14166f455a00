import { type Answer, answerToBurn, answerToCancel, burn, cancel, codeOf } from './redeeming.ts';
import { type State, type World, withCode } from './state.ts';

/** Something that ended a code, or was too late to, and what was answered. */
export type Closing =
  | { kind: 'burn'; by: string | null; answer: Answer }
  | { kind: 'cancel'; by: string; answer: Answer }
  | { kind: 'expire'; answer: 'ok' };

/** The state after it; undefined if it could not be answered like this. */
export function closed(
  world: World,
  state: State,
  name: string,
  closing: Closing,
): State | undefined {
  switch (closing.kind) {
    case 'burn':
      if (answerToBurn(world, state, { name, ...closing }) !== closing.answer) return undefined;
      return closing.answer === 'ok' ? burn(state, name, closing.by) : state;
    case 'cancel':
      if (answerToCancel(world, state, { name, ...closing }) !== closing.answer) return undefined;
      return closing.answer === 'ok' ? cancel(world, state, name) : state;
    case 'expire':
      return codeOf(state, name).status === 'issued' ? overdue(state, name) : undefined;
    default:
      return closing satisfies never;
  }
}

/**
 * The state after all of these, if they could be answered like this: of several at the same moment
 * only the first changes anything, and the others find the code closed.
 */
export function inSomeOrder(
  world: World,
  state: State,
  name: string,
  closings: readonly Closing[],
): State | undefined {
  for (const first of closings) {
    const others = closings.filter((closing) => closing !== first);
    const after = closed(world, state, name, first);
    const isRight = (other: Closing) => closed(world, after ?? state, name, other) === after;
    if (after !== undefined && others.every(isRight)) return after;
  }
  return undefined;
}

/** The time of a code is over. */
export function overdue(state: State, name: string): State {
  return withCode(state, name, { ...codeOf(state, name), isOverdue: true });
}
