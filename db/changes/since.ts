import type { RedemptionId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import { OLDEST_TRANSACTION } from '../open-transactions.ts';
import { STATUS_NOW } from '../redemptions/status.ts';

// What has changed since a moment, for streams that send it. Times are microseconds since 1970, by
// the clock of the database.

/**
 * The moment up to which a reader that begins now has everything: each transaction of the service
 * that began earlier has ended, and what it has changed can be seen.
 */
export type Watermark = { sinceMicros: number; nowMs: number };

/**
 * A transaction is known to the others a moment after it began, so what began within a second of
 * the watermark is read again.
 */
const OVERLAP_SECONDS = 1;
/**
 * A transaction that is open for longer is not waited for: those that write end sooner, and only a
 * verification of the ledger, which writes nothing before its end, takes longer.
 */
const LONGEST_TRANSACTION_SECONDS = 300;

/** How far a watermark may be behind the time at which it is read. */
export const LONGEST_LAG_MS = (LONGEST_TRANSACTION_SECONDS + OVERLAP_SECONDS) * 1_000;

/**
 * Returns the watermark of a statement that begins after this call has returned. In one statement
 * with the reading it would be later than what that statement sees.
 */
export async function readWatermark(db: Db): Promise<Watermark> {
  const { rows } = await db.raw<{ rows: [Watermark] }>(
    `select
       ${micros(`greatest(began, now() - make_interval(secs => ${LONGEST_TRANSACTION_SECONDS}))
         - make_interval(secs => ${OVERLAP_SECONDS})`)} as since_micros,
       floor(extract(epoch from now()) * 1000)::bigint as now_ms
     from (${OLDEST_TRANSACTION}) oldest`,
  );
  return rows[0];
}

/** Whose changes to list, since when. */
export type Ask<Key> = { key: Key; sinceMicros: number };

/** A resource that has changed, and what state it is in now: a later state has another version. */
export type Change<Kind extends string, Id extends string> = {
  kind: Kind;
  id: Id;
  version: string;
  changedMicros: number;
};

export type ConsumerChange = Change<'wallet', WalletId> | Change<'redemption', RedemptionId>;
export type ShopChange = Change<'redemption', RedemptionId>;

/** How many changes are listed for one ask. One that has more gets one more than that. */
export const MAX_CHANGES = 100;

type Listed<Each> = Each & { nth: number };

/**
 * A redemption changes for the last time when its code can no longer be used, minutes after it was
 * issued. A row that is closed later says nothing new: an overdue code counts as expired already.
 */
const AGE_OF_CHANGING = `interval '1 day'`;

/**
 * Lists which wallets and redemptions of each user have changed since the moment of the ask, the
 * earliest first: their balance, debt or status. In the order of the asks.
 */
export async function listConsumerChanges(
  db: Db,
  asks: readonly Ask<UserId>[],
): Promise<ConsumerChange[][]> {
  const { rows } = await db.raw<{ rows: Listed<ConsumerChange>[] }>(
    `select a.nth::integer as nth, c.*
     from unnest(:keys::uuid[], :sinces::bigint[]) with ordinality as a(user_id, since, nth)
     cross join lateral (select ${momentOf('a.since')} as moment) m
     cross join lateral (
       (select 'wallet' as kind, w.id, concat_ws(' ', w.seq, w.status, w.owed) as version,
         ${micros('w.updated_at')} as changed_micros
        from wallets w where w.user_id = a.user_id and w.updated_at >= m.moment
        limit ${MAX_CHANGES + 1})
       union all
       (select 'redemption', r.id, ${STATUS_NOW}, ${micros('r.changed_at')}
        from wallets w cross join unnest(array['issued', 'used', 'expired']) s(status)
        cross join lateral (
          select r.*, greatest(r.created_at, r.used_at, r.expired_at,
            case when r.expires_at <= statement_timestamp() then r.expires_at end) as changed_at
          from redemptions r
          where r.wallet_id = w.id and r.status = s.status
            and r.created_at >= m.moment - ${AGE_OF_CHANGING}
        ) r
        where w.user_id = a.user_id and r.changed_at >= m.moment
        limit ${MAX_CHANGES + 1})
     ) c
     order by a.nth, c.changed_micros`,
    columnsOf(asks),
  );
  return byAsk(asks.length, rows);
}

/** Lists which codes were used in each shop since the moment of the ask, the earliest first. */
export async function listShopChanges(
  db: Db,
  asks: readonly Ask<TenantId>[],
): Promise<ShopChange[][]> {
  const { rows } = await db.raw<{ rows: Listed<ShopChange>[] }>(
    `select a.nth::integer as nth, 'redemption' as kind, c.id, 'used' as version,
       ${micros('c.used_at')} as changed_micros
     from unnest(:keys::uuid[], :sinces::bigint[]) with ordinality as a(tenant_id, since, nth)
     cross join lateral (
       select r.id, r.used_at from redemptions r
       where r.tenant_id = a.tenant_id and r.status = 'used'
         and r.used_at >= ${momentOf('a.since')}
       order by r.used_at limit ${MAX_CHANGES + 1}
     ) c
     order by a.nth, c.used_at`,
    columnsOf(asks),
  );
  return byAsk(asks.length, rows);
}

function micros(time: string): string {
  return `floor(extract(epoch from ${time}) * 1000000)::bigint`;
}

function momentOf(sinceMicros: string): string {
  return `(timestamptz 'epoch' + ${sinceMicros} * interval '1 microsecond')`;
}

function columnsOf(asks: readonly Ask<string>[]) {
  return {
    keys: asks.map(({ key }) => key),
    sinces: asks.map(({ sinceMicros }) => sinceMicros),
  };
}

function byAsk<Each extends { nth: number }>(asks: number, rows: readonly Each[]): Each[][] {
  const lists: Each[][] = Array.from({ length: asks }, () => []);
  for (const row of rows) lists[row.nth - 1]?.push(row);
  return lists;
}
