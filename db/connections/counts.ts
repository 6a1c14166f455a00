import { byProvider, PROVIDERS, type Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';

/** How many connections of a provider are active, and how many of those need a reconnect. */
export type ConnectionCount = { active: number; reconnect: number };

/**
 * Returns the counts of all providers, exactly, without reading the connections: triggers keep
 * them. Only the first call in the life of a database counts what was there before the triggers.
 */
export async function countByProvider(db: Db): Promise<Record<Provider, ConnectionCount>> {
  let counts = await read(db);
  if (!counts.every(({ isWhole }) => isWhole)) {
    await addEarlier(db);
    counts = await read(db);
  }
  return byProvider((name) => {
    const { active = 0, reconnect = 0 } = counts.find(({ provider }) => provider === name) ?? {};
    return { active, reconnect };
  });
}

type Count = ConnectionCount & { provider: Provider; isWhole: boolean };

async function read(db: Db): Promise<Count[]> {
  const { rows } = await db.raw<{ rows: Count[] }>(
    `select p.name as provider, c.active, c.reconnect, c.is_whole
     from unnest(:providers::text[]) as p(name)
     cross join lateral (
       select coalesce(sum(active), 0)::bigint as active,
         coalesce(sum(reconnect), 0)::bigint as reconnect,
         coalesce(bool_or(slot = 0), false) as is_whole
       from connection_counts where provider = p.name
     ) c`,
    { providers: [...PROVIDERS] },
  );
  return rows;
}

/**
 * Adds the connections from before the triggers: all that there are, less those that the triggers
 * have counted, as one snapshot sees both. That difference never changes, so any of several
 * concurrent calls may store it.
 */
async function addEarlier(db: Db): Promise<void> {
  await db.raw(
    `insert into connection_counts (provider, slot, active, reconnect)
     select p.name, 0, n.active - c.active, n.reconnect - c.reconnect
     from unnest(:providers::text[]) as p(name)
     cross join lateral (
       select count(*) as active, count(needs_reconnect_since) as reconnect
       from pos_connections where provider = p.name and status = 'active'
     ) n
     cross join lateral (
       select coalesce(sum(active), 0) as active, coalesce(sum(reconnect), 0) as reconnect
       from connection_counts where provider = p.name
     ) c
     on conflict on constraint connection_counts_once_per_slot do nothing`,
    { providers: [...PROVIDERS] },
  );
}

/**
 * Forgets all counts, so that the next call counts the connections again. Changes that are being
 * made meanwhile are counted, by one or the other.
 */
export async function forget(db: Db): Promise<void> {
  await db('connection_counts').delete();
}
