import type { UserId, WalletId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';

/**
 * The points that an administrator has credited and debited by hand in the last 24 hours; who they
 * have erased, or will have, counts with what they held.
 */
export type Adjusted = { credited: number; debited: number };

/**
 * Adds up an administrator's adjustments of the last 24 hours, without those of imports. Until the
 * transaction ends, no other one can add them up for that administrator, so that what follows from
 * the sums holds at the commit.
 */
export async function sumAdjusted(tx: Tx, actorUserId: UserId): Promise<Adjusted> {
  // A statement of its own: the sums must be read after the lock was granted.
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('adjusting ' || :actorUserId, 0))`, {
    actorUserId,
  });
  const { rows } = await tx.raw<{ rows: Adjusted[] }>(
    `select coalesce(sum(points) filter (where points > 0), 0)::bigint as credited,
       coalesce(-sum(points) filter (where points < 0), 0)::bigint as debited
     from (
       select (after ->> 'points')::bigint as points from audit_log
       where actor_user_id = :actorUserId and action = 'wallet.adjust'
         and after ->> 'importId' is null
         and created_at > clock_timestamp() - interval '24 hours'
       union all
       select -points from erasures
       where requested_by = :actorUserId and withdrawn_at is null
         and requested_at > clock_timestamp() - interval '24 hours'
     ) adjustments`,
    { actorUserId },
  );
  return rows[0] ?? { credited: 0, debited: 0 };
}

/** Finds which of a wallet's adjustments are those of imports, by ids. */
export async function findImported(
  db: Db,
  walletId: WalletId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from audit_log
     where id = any(:ids::uuid[]) and target_id = :walletId and after ->> 'importId' is not null`,
    { ids: [...ids], walletId },
  );
  return new Set(rows.map(({ id }) => id));
}
