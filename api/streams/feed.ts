import type { Ask } from '../../db/changes/since.ts';
import type { Db } from '../../db/connection.ts';
import type { FeedName } from '../../gateways/telemetry/metrics-streams.ts';
import type { State } from './position.ts';

/** An event before it is sent: its name, and the JSON of its resource. */
export type Rendered = { event: string; data: string };

/** Reads what the streams of a feed send, for many of them at a time. */
export type Feed<Key extends string, Each extends State> = {
  name: FeedName;
  /** Lists what has changed for each ask; more than `MAX_CHANGES` of them are not all there. */
  listChanges(db: Db, asks: readonly Ask<Key>[]): Promise<Each[][]>;
  /**
   * Returns the events that tell the present states of changes of these people or shops, by the ids
   * of the resources. One that cannot be rendered is logged and missing.
   */
  render(
    db: Db,
    keys: readonly Key[],
    changes: readonly Each[],
  ): Promise<ReadonlyMap<string, Rendered>>;
};
