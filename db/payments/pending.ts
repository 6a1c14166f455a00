import type { WalletId } from '../../domain/ids.ts';
import type { PendingPoints } from '../../domain/redemption.ts';
import { appliesProgrammes, type Db } from '../connection.ts';

/** The longest return window is 90 days, and no transaction stays open for a day. */
const WALKED_BACK = `interval '91 days'`;

/**
 * SQL: whether sales of a tenant `t` may still be in a return window: a version with one was in
 * effect within the last 90 days. Of a tenant without a programme only its row is read.
 */
export const MAY_HAVE_PENDING = `
    case when t.has_programme then exists (
      select from programme_versions v
      where v.tenant_id = t.id and v.return_window_days > 0
        and v.published_at >= coalesce((
          select max(before.published_at) from programme_versions before
          where before.tenant_id = t.id and before.published_at <= now() - interval '90 days'
        ), '-infinity')
    ) else false end`;

/**
 * SQL: when the points of a payment `p` can be used, by the version that was in effect when it was
 * stored; null where there was none.
 */
const RELEASE = `(
    select p.created_at + v.return_window_days * interval '24 hours' from programme_versions v
    where v.tenant_id = p.tenant_id and v.published_at <= p.created_at
    order by v.published_at desc, v.version desc limit 1
  )`;

/** SQL: the points of a payment that refunds have taken, wherever from. */
const TAKEN = (p = '') =>
  `${p}points_reversed + ${p}points_owed + ${p}points_written_off + ${p}points_absorbed`;

/** SQL: the same while points of the payment wait, and null when none do. */
export const WAITS_UNTIL = `(
    select release from (select ${RELEASE} as release) r
    where release > statement_timestamp()
      and p.points_awarded > ${TAKEN('p.')}
      and (select closed_at from wallets where id = p.wallet_id) is null
  )`;

/**
 * Sums the points of wallets that wait until their sales can no longer be returned; a wallet
 * without any is left out, and so is a closed one, and every one where programmes are not applied.
 * The sales are found by walking back through the wallet's entries, which costs no sale an index:
 * an entry is written with its sale, or later.
 */
export async function sumPending(
  db: Db,
  walletIds: readonly WalletId[],
): Promise<Map<WalletId, PendingPoints>> {
  if (!appliesProgrammes(db)) return new Map();
  const { rows } = await db.raw<{ rows: (PendingPoints & { walletId: WalletId })[] }>(PENDING, {
    walletIds: [...walletIds],
  });
  return new Map(rows.map(({ walletId, ...pending }) => [walletId, pending]));
}

const STEP = 'e.wallet_id, e.seq, e.created_at, e.reason, e.source_id';

const PENDING = `
  with recursive walk as (
    select ${STEP} from wallets w
    join ledger_entries e on e.wallet_id = w.id and e.seq = w.seq
    where w.id = any(:walletIds::uuid[]) and w.closed_at is null
    union all
    select ${STEP} from walk
    join ledger_entries e on e.wallet_id = walk.wallet_id and e.seq = walk.seq - 1
    where walk.created_at > now() - ${WALKED_BACK}
  ),
  waiting as (
    select walk.wallet_id, sale.points, sale.release
    from walk
    cross join lateral (
      select points_awarded - (${TAKEN()}) as points,
        ${RELEASE} as release
      from payments p where p.id = walk.source_id limit 1
    ) sale
    where walk.reason = 'purchase' and sale.points > 0 and sale.release > statement_timestamp()
  )
  select wallet_id, sum(points)::bigint as pending, min(release) as next_release
  from waiting group by wallet_id`;
