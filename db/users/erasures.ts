import {
  ERASED_AFTER_HOURS,
  type Erasable,
  type ErasureTimes,
  OPERATOR_DAYS,
} from '../../domain/erasure.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ErasureId, UserId } from '../../domain/ids.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { IS_OPEN } from '../redemptions/status.ts';

// What is asked for: that a person is erased. How it is done is in erasing.ts.

export type Erasure = ErasureTimes & {
  id: ErasureId;
  userId: UserId;
  /** The administrator who asked for it; null for the person. */
  requestedBy: UserId | null;
  beginsAt: Date;
};

const ERASURE = [
  'id',
  'userId',
  'requestedBy',
  'beginsAt',
  'withdrawnAt',
  'begunAt',
  'doneAt',
] as const;

/** Finds the erasure of a user that was not withdrawn. */
export async function find(db: Db, userId: UserId): Promise<Erasure | undefined> {
  return db<Erasure>('erasures')
    .where({ userId, withdrawnAt: null })
    .first(...ERASURE);
}

/** What decides whether somebody may be erased; their row is locked until the transaction ends. */
export async function lockErasable(tx: Tx, userId: UserId): Promise<Erasable> {
  const { rows } = await tx.raw<{ rows: Erasable[] }>(
    `select u.role, u.role = 'pos_operator'
       or coalesce((select true from memberships m
         where m.user_id = u.id and m.role = 'pos_operator' limit 1), false)
       or coalesce((select true from operator_removals r where r.user_id = u.id
         and r.removed_at > now() - interval '${OPERATOR_DAYS} days' limit 1), false)
       as is_operator
     from users u where u.id = :userId for no key update of u`,
    { userId },
  );
  const [found] = rows;
  if (found === undefined) throw new Refusal('NOT_FOUND', 'There is no such user.');
  return found;
}

/** The points that a person holds, those in open codes included. */
export async function pointsOf(db: Db, userId: UserId): Promise<number> {
  const { rows } = await db.raw<{ rows: { points: number }[] }>(
    `select coalesce(sum(w.balance + codes.points), 0)::bigint as points
     from wallets w cross join lateral (
       select coalesce(sum(r.points), 0)::bigint as points
       from redemptions r where r.wallet_id = w.id and ${IS_OPEN}
     ) codes
     where w.user_id = :userId`,
    { userId },
  );
  return one(rows, 'sum of points').points;
}

/** Who asks for an erasure, or withdraws it, and why. */
export type Asking = {
  userId: UserId;
  acting: auditLog.Acting;
  reason: string | null;
};

/**
 * Asks for the erasure of a user, whose row is locked: it begins in 72 hours. Who was asked for
 * already stays as they are: `isNew` says so. The person is told by mail, after the commit.
 * `points` is what an administrator's counts to the limit of what they may debit, 0 for the
 * person's own.
 */
export async function request(
  tx: Tx,
  { points, ...asking }: Asking & { points: number },
): Promise<{ erasure: Erasure; isNew: boolean }> {
  const { userId, acting } = asking;
  const known = await find(tx, userId);
  if (known !== undefined) return { erasure: known, isNew: false };
  const requestedBy = acting.actorUserId === userId ? null : acting.actorUserId;
  const rows = await tx('erasures')
    .insert({
      id: newId(),
      userId,
      requestedBy,
      points,
      beginsAt: tx.raw(`date_trunc('second', now()) + interval '${ERASED_AFTER_HOURS} hours'`),
    })
    .returning<Erasure[]>([...ERASURE]);
  const erasure = one(rows, 'erasure');
  const at = erasure.beginsAt.toISOString();
  await record(tx, asking, { before: null, status: 'scheduled', at, points });
  return { erasure, isNew: true };
}

/**
 * Withdraws the erasure of a user that has not begun; the person is told. Throws NOT_FOUND when
 * there is none, any more.
 */
export async function withdraw(tx: Tx, asking: Asking): Promise<Erasure> {
  const { userId } = asking;
  const [withdrawn] = await tx('erasures')
    .where({ userId, withdrawnAt: null, begunAt: null })
    .update({ withdrawnAt: tx.fn.now() })
    .returning<Erasure[]>([...ERASURE]);
  if (withdrawn === undefined) {
    throw new Refusal('NOT_FOUND', 'No erasure is scheduled. It may have begun.');
  }
  await record(tx, asking, { before: 'scheduled', status: 'withdrawn' });
  return withdrawn;
}

/** Records what became of an erasure, which the audit log keeps without any contact. */
export async function record(
  tx: Tx,
  { userId, acting, reason }: Asking,
  { before, ...after }: { before: string | null; status: string } & auditLog.AuditedState,
): Promise<void> {
  await auditLog.insert(tx, {
    ...acting,
    action: 'user.erase',
    targetType: 'user',
    targetId: userId,
    tenantId: null,
    reason,
    before: { status: before },
    after,
  });
}

/** Lists the erasures that are to begin, or to go on, the longest due first. */
export async function listDue(db: Db, limit: number): Promise<Erasure[]> {
  return db<Erasure>('erasures')
    .whereRaw('withdrawn_at is null and done_at is null and begins_at <= now()')
    .orderBy('beginsAt')
    .limit(limit)
    .select(...ERASURE);
}

/**
 * Lists who was erased at this hour of a day, while reports of refunds of what they bought may
 * still come: so each of them is looked at once a day.
 */
export async function listErased(db: Db): Promise<UserId[]> {
  const rows = await db('erasures')
    .whereRaw(
      `done_at > now() - interval '${REFUNDED_DAYS} days'
       and extract(hour from done_at) = extract(hour from now())`,
    )
    .orderBy('doneAt')
    .select<{ userId: UserId }[]>('userId');
  return rows.map(({ userId }) => userId);
}

/** More than the year for which providers refund. */
const REFUNDED_DAYS = 400;
