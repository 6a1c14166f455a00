import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { forgetCoverage } from './poll-leases.ts';
import { CONNECTION_COLUMNS, type PosConnection } from './pos-connections.ts';

// When a connection's provider may be asked. All times are by the database's clock, and shared by
// all processes: a pause that the provider asked of one of them holds for all.

/** Longer than a probe takes, with a refresh of the tokens; a killed prober loses its claim. */
const PROBE_SECONDS = 30;
/** The own back-off doubles from this up to the longest. */
const FIRST_PAUSE_SECONDS = 1;
/** Less than the minute between two sweeps, so that each of them finds the pause over. */
const LONGEST_PAUSE_SECONDS = 50;
/** A provider that was away longer ago starts with the first pause again. */
const FORGET_MINUTES = 5;

export type Availability = {
  /** `answers`: it may be asked. `away`: not before `waitMs`. `due`: it has to be probed first. */
  state: 'answers' | 'away' | 'due';
  /** How long to wait before asking again: for the end of the pause, or of another's probe. */
  waitMs: number;
  /** Since when its merchant must reconnect; null if not. */
  needsReconnectSince: Date | null;
};

/** Whether an active connection's provider may be asked; undefined if it is not active. */
export async function read(db: Db, id: ConnectionId): Promise<Availability | undefined> {
  const { rows } = await db.raw<{ rows: Availability[] }>(
    `select needs_reconnect_since,
       case when ask_again_at is null then 'answers'
         when ask_again_at > now() or probing_until > now() then 'away'
         else 'due' end as state,
       case when ask_again_at is null then 0 else greatest(0, ceil(1000 * extract(epoch from
         greatest(ask_again_at, probing_until) - now()))) end::float8 as wait_ms
     from pos_connections where id = :id and status = 'active'`,
    { id },
  );
  return rows[0];
}

/**
 * Claims the probe of a connection, so that one caller at a time probes it. Returns false while
 * another has the claim, during a pause, and when the connection is not active or must reconnect.
 */
export async function claimProbe(db: Db, id: ConnectionId): Promise<boolean> {
  const claimed = await db('pos_connections')
    .where({ id, status: 'active', needsReconnectSince: null })
    .whereRaw('(ask_again_at is null or ask_again_at <= now())')
    .whereRaw('(probing_until is null or probing_until <= now())')
    .update({ probingUntil: db.raw('now() + make_interval(secs => ?)', [PROBE_SECONDS]) });
  return claimed === 1;
}

/**
 * Has an account probed by the next sweep that is said to have been left, unless it was connected
 * since: by what the provider answers the connection is flagged, or nothing has happened. It does
 * not count as away meanwhile.
 */
export async function haveProbed(
  db: Db,
  { revokedAt, ...account }: { provider: Provider; merchantId: string; revokedAt: Date },
): Promise<void> {
  await db('pos_connections')
    .where({ ...account, status: 'active', needsReconnectSince: null, askAgainAt: null })
    .where('tokenRefreshedAt', '<=', revokedAt)
    .update({ askAgainAt: db.fn.now(), awayAt: null });
}

/** Gives up the claim of a probe that came to no result. */
export async function dropProbe(db: Db, id: ConnectionId): Promise<void> {
  await db('pos_connections').where({ id }).update({ probingUntil: null });
}

/**
 * Records that the provider answers, which ends the pause and the claim of the probe. A pause that
 * someone else has recorded meanwhile stays.
 */
export async function recordAnswer(db: Db, id: ConnectionId): Promise<void> {
  await db.raw(
    `update pos_connections set probing_until = null,
       last_error = case when needs_reconnect_since is null and ask_again_at <= now() then null
         else last_error end,
       ask_again_at = case when ask_again_at <= now() then null else ask_again_at end
     where id = :id`,
    { id },
  );
}

/**
 * Records that the provider is away, with the error, and returns for how many milliseconds it must
 * not be asked: the later of what it asked for and our own back-off, and never earlier than what
 * was recorded before. The back-off grows with each pause, not with each caller. `isProbe` ends the
 * claim of the probe.
 */
export async function recordAway(
  db: Db,
  id: ConnectionId,
  away: { retryAfterMs: number; error: string; isProbe: boolean },
): Promise<number> {
  const { rows } = await db.raw<{ rows: { waitMs: number; isNew: boolean }[] }>(
    `with counted as (
       select id, ask_again_at is null as is_new, case when ask_again_at > now() then away_count
           when away_at > now() - make_interval(mins => :forget) then least(away_count + 1, 20)
           else 1 end as count
       from pos_connections where id = :id for no key update
     )
     update pos_connections c
     set away_at = now(), away_count = counted.count,
       ask_again_at = greatest(c.ask_again_at, now() + make_interval(secs => greatest(
         :retryAfter::float8, least(:longest::float8, :first::float8 * power(2, count - 1))))),
       probing_until = case when :isProbe then null else c.probing_until end,
       last_error = case when c.needs_reconnect_since is null then :error else c.last_error end
     from counted where c.id = counted.id
     returning ceil(1000 * extract(epoch from c.ask_again_at - now()))::float8 as wait_ms,
       counted.is_new`,
    {
      id,
      retryAfter: away.retryAfterMs / 1000,
      first: FIRST_PAUSE_SECONDS,
      longest: LONGEST_PAUSE_SECONDS,
      forget: FORGET_MINUTES,
      error: away.error,
      isProbe: away.isProbe,
    },
  );
  if (rows[0]?.isNew) await forgetCoverage(db, id);
  return rows[0]?.waitMs ?? 0;
}

/** Lists connections to a provider whose pause is over, the one that waits longest first. */
export async function listProbeable(
  db: Db,
  provider: Provider,
  limit: number,
): Promise<PosConnection[]> {
  return db('pos_connections')
    .where({ provider, status: 'active', needsReconnectSince: null })
    .whereRaw('ask_again_at <= now()')
    .whereRaw('(probing_until is null or probing_until <= now())')
    .orderBy('askAgainAt')
    .limit(limit)
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}
