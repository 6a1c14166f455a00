/** An operation on one object, as its caller saw it. Times are of one clock, in any unit. */
export type Operation<Request> = {
  request: Request;
  /** What came back; undefined if nothing did: it may or may not have taken effect. */
  answer: string | undefined;
  start: number;
  /** Infinity if nothing came back: it may still take effect at any later time. */
  end: number;
};

/** What an object does when its operations come one at a time. */
export type Specification<State, Request> = {
  initial: State;
  /** The state after the request, and the only right answer to it. */
  apply(state: State, request: Request): { state: State; answer: string };
  /** A text that two states share only if no later answer can tell them apart. */
  keyOf(state: State): string;
};

export type Verdict<Request> =
  | { is: 'linearizable'; order: Operation<Request>[] }
  /** `order` is the longest that was found; none of `stuck` can come next. */
  | { is: 'not linearizable'; order: Operation<Request>[]; stuck: Operation<Request>[] }
  /** More states than the limit were visited without a result. */
  | { is: 'undecided' };

/** Visited states beyond this are a workload that is too concurrent to be judged. */
const MAX_STATES = 500_000;

type Frame<State, Request> = {
  state: State;
  /** A bit for each operation that has taken effect. */
  done: bigint;
  /** How many operations with an answer are left. */
  left: number;
  candidates: number[];
  next: number;
  taken: Operation<Request> | undefined;
};

/**
 * Searches for an order of the operations in which a single object would have given every answer,
 * and in which each operation takes effect between its start and its end. The algorithm is that of
 * Wing and Gong, with Lowe's memory of what was visited (operations done, state reached): it tries
 * as the next one each operation that no other one precedes, and goes back when an answer differs.
 * Operations without an answer are left out wherever they would change nothing.
 */
export function check<State, Request>(
  { initial, apply, keyOf }: Specification<State, Request>,
  history: readonly Operation<Request>[],
  maxStates = MAX_STATES,
): Verdict<Request> {
  const operations = history.toSorted((one, other) => one.start - other.start);
  const left = operations.filter(({ answer }) => answer !== undefined).length;
  const frameOf = (frame: Omit<Frame<State, Request>, 'candidates' | 'next'>) => {
    return { ...frame, candidates: candidatesAmong(operations, frame.done), next: 0 };
  };
  const stack = [frameOf({ state: initial, done: 0n, left, taken: undefined })];
  const visited = new Set<string>();
  let longest = [...stack];

  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.left === 0) return { is: 'linearizable', order: takenIn(stack) };
    const index = frame.candidates[frame.next++];
    const operation = index === undefined ? undefined : operations[index];
    if (index === undefined || operation === undefined) {
      stack.pop();
      continue;
    }
    const { state, answer } = apply(frame.state, operation.request);
    const isUnknown = operation.answer === undefined;
    if (!isUnknown && operation.answer !== answer) continue;
    const key = keyOf(state);
    if (isUnknown && key === keyOf(frame.state)) continue;
    const done = frame.done | (1n << BigInt(index));
    const place = `${done.toString(36)} ${key}`;
    if (visited.has(place)) continue;
    visited.add(place);
    if (visited.size > maxStates) return { is: 'undecided' };
    stack.push(frameOf({ state, done, left: frame.left - (isUnknown ? 0 : 1), taken: operation }));
    if (stack.length > longest.length) longest = [...stack];
  }
  const end = longest.at(-1);
  const stuck = (end?.candidates ?? []).flatMap((index) => operations[index] ?? []);
  return { is: 'not linearizable', order: takenIn(longest), stuck };
}

/**
 * The operations that may come next: those not done that began before every other one that is not
 * done had ended. Those with an answer come first, because most of the others never took effect.
 */
function candidatesAmong<Request>(
  operations: readonly Operation<Request>[],
  done: bigint,
): number[] {
  const [answered, unknown]: [number[], number[]] = [[], []];
  let earliestEnd = Number.POSITIVE_INFINITY;
  for (const [index, { start, end, answer }] of operations.entries()) {
    if ((done >> BigInt(index)) & 1n) continue;
    if (start > earliestEnd) break;
    earliestEnd = Math.min(earliestEnd, end);
    (answer === undefined ? unknown : answered).push(index);
  }
  return [...answered, ...unknown];
}

function takenIn<State, Request>(stack: readonly Frame<State, Request>[]): Operation<Request>[] {
  return stack.flatMap(({ taken }) => taken ?? []);
}
