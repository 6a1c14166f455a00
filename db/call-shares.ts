import type { Db } from './connection.ts';
import { newId } from './new-id.ts';

// What a provider allows is allowed to all processes together. It is divided into units, of which
// each process takes as many as it needs, and no more than its part while others want some, too.

/** Longer than a call takes, so that those of a killed process have ended before others follow. */
const LEASE_SECONDS = 15;

/** What a process wants of what is allowed under a name. */
export type WantedShare = {
  name: string;
  /** How many units there are, over all processes. */
  size: number;
  /** How many are in use, and cannot be given back now. */
  keeps: number;
  /** How many could be used; 0 gives all back. */
  wants: number;
};

/** Returns what takes and gives back this process's units, each of which lasts for 15 seconds. */
export function createCallShares(db: Db) {
  const holder = newId();
  return {
    leaseMs: LEASE_SECONDS * 1_000,

    /** Says how many units this process may use from now on, in the order of what is wanted. */
    async take(wanted: readonly WantedShare[]): Promise<number[]> {
      const { rows } = await db.raw<{ rows: { units: number }[] }>(
        // In one order, because each takes a lock: processes at the same time cannot deadlock.
        `with taken as materialized (
           select nth, take_call_share(name, :holder, array[size, keeps, wants, :seconds]) as units
           from (
             select * from unnest(:names::text[], :sizes::integer[], :keeps::integer[],
                 :wants::integer[]) with ordinality as w(name, size, keeps, wants, nth)
             order by name
           ) in_order
         )
         select units from taken order by nth`,
        {
          holder,
          seconds: LEASE_SECONDS,
          names: wanted.map(({ name }) => name),
          sizes: wanted.map(({ size }) => size),
          keeps: wanted.map(({ keeps }) => keeps),
          wants: wanted.map(({ wants }) => wants),
        },
      );
      return rows.map(({ units }) => units);
    },
  };
}
