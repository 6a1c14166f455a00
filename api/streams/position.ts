import { createHash } from 'node:crypto';
import { LONGEST_LAG_MS } from '../../db/changes/since.ts';

/** A state of a resource, which some event tells. */
export type State = { kind: string; id: string; version: string; changedMicros: number };

/**
 * Up to where a stream has everything: all changes before `sinceMicros`, and of those after it the
 * states in `seen`. `readAtMs` is when that was read, by the database's clock.
 *
 * It is what the id of an event holds, and all that it takes to resume: whoever reads what changed
 * since then, and leaves out what was seen, misses nothing and repeats nothing. So any process of
 * the API can resume the stream of any other, also of one that has ended, and none keeps events.
 * States that were overtaken meanwhile are skipped, because the present ones are read.
 */
export type Position = { sinceMicros: number; seen: ReadonlySet<string>; readAtMs: number };

/** What a reading of changes found: all states that changed since a position. */
export type Reading<Each extends State> = {
  states: readonly Each[];
  /** From this moment on, further changes may become visible. */
  sinceMicros: number;
  readAtMs: number;
};

const RESUME_WITHIN_MS = 600_000;

const AUDIENCE_LENGTH = 9;
const TAG_LENGTH = 7;
/** More would make ids long. What is left out may be sent again by a stream that resumes. */
const MAX_TAGS = 16;
/** Process and database may read their clocks in this order or the other. */
const CLOCK_STEP_MS = 5_000;

/** Returns what of a reading is new at a position, in its order, and the position after it. */
export function advance<Each extends State>(
  from: Pick<Position, 'seen'>,
  { states, sinceMicros, readAtMs }: Reading<Each>,
): { fresh: Each[]; next: Position } {
  const open = states.filter(({ changedMicros }) => changedMicros >= sinceMicros);
  return {
    fresh: states.filter((state) => !from.seen.has(tagOf(state))),
    next: { sinceMicros, readAtMs, seen: new Set(open.map(tagOf)) },
  };
}

/** Returns the position of a stream that was sent these states, but not all that were read. */
export function partway(from: Position, sent: readonly State[]): Position {
  return { ...from, seen: new Set([...from.seen, ...sent.map(tagOf)]) };
}

/** Returns the id of an event after which a stream of `audience`, a person or shop, is there. */
export function idOf(audience: string, { sinceMicros, seen, readAtMs }: Position): string {
  const times = [sinceMicros, readAtMs].map((time) => time.toString(36));
  return [digestOf(audience, AUDIENCE_LENGTH), ...times, ...[...seen].slice(-MAX_TAGS)].join('.');
}

/**
 * Reads the id of an event. Returns undefined for an id that is not of this audience, is no id of
 * ours, or is older than ten minutes at the time `nowMs` of the database.
 */
export function positionOf(audience: string, id: string, nowMs: number): Position | undefined {
  const [owner, since = '', readAt = '', ...seen] = id.split('.');
  const sinceMicros = Number.parseInt(since, 36);
  const readAtMs = Number.parseInt(readAt, 36);
  const lagMs = readAtMs - sinceMicros / 1_000;
  const ageMs = nowMs - readAtMs;
  const isKnown =
    owner === digestOf(audience, AUDIENCE_LENGTH) &&
    // A span that no id of ours has would make us read all that has ever changed, or nothing.
    lagMs >= -1 &&
    lagMs <= LONGEST_LAG_MS + CLOCK_STEP_MS &&
    ageMs >= -CLOCK_STEP_MS &&
    ageMs <= RESUME_WITHIN_MS;
  return isKnown ? { sinceMicros, readAtMs, seen: new Set(seen) } : undefined;
}

function tagOf({ kind, id, version }: State): string {
  return digestOf(`${kind} ${id} ${version}`, TAG_LENGTH);
}

function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, length);
}
