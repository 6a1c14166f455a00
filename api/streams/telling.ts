import { MAX_CHANGES } from '../../db/changes/since.ts';
import type { Rendered } from './feed.ts';
import { advance, idOf, type Position, partway, type Reading, type State } from './position.ts';

/** An event as it is sent. */
export type StreamEvent = Rendered & { id: string };

/** What a reading means to streams that are at the same position. */
export type Step<Each extends State> = {
  audience: string;
  /** Undefined for a stream that begins now: it is told nothing of before. */
  from: Position | undefined;
  next: Position;
  /** The states to tell. */
  fresh: Each[];
  /** Whether something is left out, so that the application has to read everything again. */
  isReset: boolean;
};

/** Decides what a reading means to streams of `audience` that are at the position `from`. */
export function stepOf<Each extends State>(
  audience: string,
  from: Position | undefined,
  reading: Reading<Each>,
): Step<Each> {
  const { fresh, next } = advance({ seen: from?.seen ?? new Set() }, reading);
  const isReset = from !== undefined && reading.states.length > MAX_CHANGES;
  return { audience, from, next, isReset, fresh: from === undefined || isReset ? [] : fresh };
}

/** The event that says that everything may have changed. */
const RESET = 'reset';

/** Returns the event that says so. */
export function resetAt({ audience, next }: Pick<Step<State>, 'audience' | 'next'>): StreamEvent {
  return { event: RESET, data: '{}', id: idOf(audience, next) };
}

/**
 * Returns the events of a step, each with the id of the position of a stream that has received all
 * up to this one. A state that could not be rendered is left out.
 */
export function eventsOf(
  step: Step<State>,
  rendered: ReadonlyMap<string, Rendered>,
): StreamEvent[] {
  const { audience, from, next, fresh } = step;
  if (from === undefined) return [];
  if (step.isReset) return [resetAt(step)];
  return fresh.flatMap((state, nth) => {
    const event = rendered.get(state.id);
    if (event === undefined) return [];
    const isLast = nth === fresh.length - 1;
    const position = isLast ? next : partway(from, fresh.slice(0, nth + 1));
    return [{ ...event, id: idOf(audience, position) }];
  });
}
