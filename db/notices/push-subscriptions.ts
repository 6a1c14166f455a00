import type { PushSubscriptionId, UserId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';

// The browsers in which people are told of points and of codes.

/** Where a browser is told, and the keys for which it is encrypted. */
export type PushSubscription = {
  id: PushSubscriptionId;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** What its push service took last. */
  pushed: string | null;
};

/** More browsers than a person uses. */
const MOST_SUBSCRIPTIONS = 10;

/**
 * Stores the subscription of a person's browser and returns its id; what the browser was for before
 * ends. Of more than ten the oldest goes. Undefined, and nothing is stored, of the erased.
 */
export async function add(
  tx: Tx,
  userId: UserId,
  subscription: Pick<PushSubscription, 'endpoint' | 'p256dh' | 'auth'>,
): Promise<PushSubscriptionId | undefined> {
  const { rows } = await tx.raw<{ rows: { id: PushSubscriptionId }[] }>(
    `insert into push_subscriptions as s (id, user_id, endpoint, p256dh, auth)
     select :id, id, :endpoint, :p256dh, :auth
     from users where id = :userId and erased_at is null for no key update
     on conflict (endpoint) do update
     set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
       created_at = excluded.created_at,
       pushed = case when s.user_id = excluded.user_id then s.pushed end
     returning id`,
    { ...subscription, id: newId(), userId },
  );
  await tx.raw(
    `delete from push_subscriptions where id in (
       select id from push_subscriptions where user_id = :userId
       order by created_at desc, id desc offset ${MOST_SUBSCRIPTIONS}
     )`,
    { userId },
  );
  return rows[0]?.id;
}

/** Removes the subscription of a person's browser. Returns whether there was one. */
export async function remove(
  db: Db,
  { id, userId }: { id: PushSubscriptionId; userId: UserId },
): Promise<boolean> {
  return (await db('push_subscriptions').where({ id, userId }).delete()) > 0;
}

/** Lists the subscriptions of a person's browsers, oldest first. */
export async function list(
  db: Db,
  userId: UserId,
): Promise<(PushSubscription & { createdAt: Date })[]> {
  return db('push_subscriptions')
    .where({ userId })
    .orderBy(['createdAt', 'id'])
    .select('id', 'endpoint', 'p256dh', 'auth', 'pushed', 'createdAt');
}

/** Removes a subscription that its push service does not know any more, unless it was renewed. */
export async function dropGone(
  db: Db,
  { id, p256dh, auth }: Pick<PushSubscription, 'id' | 'p256dh' | 'auth'>,
): Promise<void> {
  await db('push_subscriptions').where({ id, p256dh, auth }).delete();
}

/** Records what a push service took. */
export async function recordPushed(db: Db, id: PushSubscriptionId, pushed: string): Promise<void> {
  await db('push_subscriptions').where({ id }).update({ pushed });
}
