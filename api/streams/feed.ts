import type { Db } from '../../db/connection.ts';
import type { Ask } from '../../db/changes/since.ts';
import type { State } from './position.ts';

/** The streams of a process that tell of the same kind of things, by whom or what they are of. */
export type FeedName = 'consumer' | 'shop';

/** An event before it is sent: its name, and the JSON of its resource. */
export type Rendered = { event: string; data: string };

/** Reads what the streams of a feed send, for many of them at a time. */
export type Feed<Key extends string> = {
  name: FeedName;
  /** Lists what has changed for each ask; more than `MAX_CHANGES` of them are not all there. */
  listChanges(db: Db, asks: readonly Ask<Key>[]): Promise<State[][]>;
  /** Returns the events that tell the present states, by the ids of the resources. */
  render(db: Db, states: readonly State[]): Promise<Map<string, Rendered>>;
};
