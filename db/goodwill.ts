import { Refusal } from '../domain/errors.ts';
import type { GoodwillStatus } from '../domain/goodwill.ts';
import { GoodwillId, type TenantId, type UserId, type WalletId } from '../domain/ids.ts';
import type { TenantStatus } from '../domain/tenant-status.ts';
import type { Db, Tx } from './connection.ts';
import { newId } from './new-id.ts';
import { one } from './one.ts';

// Points that merchants ask administrators to give customers. What is granted is an adjustment.

/** A request, with whose wallet it is about; contacts are complete: mask them for merchants. */
export type GoodwillRequest = {
  id: GoodwillId;
  tenantId: TenantId;
  walletId: WalletId;
  userId: UserId;
  email: string | null;
  phone: string | null;
  points: number;
  /** Null once the customer was erased. */
  reason: string | null;
  status: GoodwillStatus;
  /** Why it was declined. */
  answer: string | null;
  requestedBy: UserId;
  createdAt: Date;
  closedAt: Date | null;
};

/** One that waits, as administrators decide about it. */
export type WaitingRequest = GoodwillRequest & {
  tenantName: string;
  tenantStatus: TenantStatus;
  balance: number;
  /** The e-mail address of the merchant who asks. */
  requestedByEmail: string | null;
};

const COLUMNS = `g.id, g.tenant_id, g.wallet_id, w.user_id, u.email, u.phone, g.points, g.reason,
  g.status, g.answer, g.requested_by, g.created_at, g.closed_at`;
const JOINED = 'join wallets w on w.id = g.wallet_id join users u on u.id = w.user_id';

/** Lets nobody else ask for points in a shop until the transaction ends. */
export async function lockShop(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.raw(`select pg_advisory_xact_lock(hashtextextended('goodwill ' || :tenantId, 0))`, {
    tenantId,
  });
}

/** What waits for an answer: whether for a wallet, and how many of a shop. */
export async function countOpen(
  tx: Tx,
  { tenantId, walletId }: { tenantId: TenantId; walletId: WalletId },
): Promise<{ isAsked: boolean; open: number }> {
  const { rows } = await tx.raw<{ rows: { isAsked: boolean; open: number }[] }>(
    `select coalesce(bool_or(wallet_id = :walletId), false) as is_asked, count(*)::integer as open
     from goodwill_requests where status = 'open' and tenant_id = :tenantId`,
    { tenantId, walletId },
  );
  return one(rows, 'count');
}

type NewRequest = Pick<
  GoodwillRequest,
  'tenantId' | 'walletId' | 'requestedBy' | 'points' | 'reason'
>;

/** Stores a request, and returns its id. */
export async function insert(tx: Tx, asked: NewRequest): Promise<GoodwillId> {
  const id = GoodwillId.parse(newId());
  await tx('goodwill_requests').insert({ id, ...asked });
  return id;
}

/** Returns a request of a tenant. Throws NOT_FOUND. */
export async function get(db: Db, tenantId: TenantId, id: GoodwillId): Promise<GoodwillRequest> {
  const { rows } = await db.raw<{ rows: GoodwillRequest[] }>(
    `select ${COLUMNS} from goodwill_requests g ${JOINED}
     where g.id = :id and g.tenant_id = :tenantId`,
    { id, tenantId },
  );
  return found(rows);
}

/** Locks a request of any tenant until the transaction ends. Throws NOT_FOUND. */
export async function lock(tx: Tx, id: GoodwillId): Promise<GoodwillRequest> {
  const { rows } = await tx.raw<{ rows: GoodwillRequest[] }>(
    `select ${COLUMNS} from goodwill_requests g ${JOINED} where g.id = :id
     for no key update of g`,
    { id },
  );
  return found(rows);
}

function found([row]: readonly GoodwillRequest[]): GoodwillRequest {
  if (row !== undefined) return row;
  throw new Refusal('NOT_FOUND', 'There is no such request. List them for their ids.');
}

/** Closes a locked request that is open; an answer says why it was declined. */
export async function close(
  tx: Tx,
  id: GoodwillId,
  { status, answer = null }: { status: Exclude<GoodwillStatus, 'open'>; answer?: string | null },
): Promise<void> {
  await tx('goodwill_requests')
    .where({ id, status: 'open' })
    .update({ status, answer, closedAt: tx.fn.now() });
}

/**
 * Withdraws what is asked for a wallet that is about to be closed, and empties all its texts, also
 * where an answer to a merchant repeats them.
 */
export async function forget(tx: Tx, walletId: WalletId): Promise<void> {
  await tx.raw(
    `update goodwill_requests g
     set status = case when g.status = 'open' then 'withdrawn' else g.status end,
       closed_at = coalesce(g.closed_at, now()), reason = null, answer = null
     from (
       select id from goodwill_requests where wallet_id = :walletId order by id for no key update
     ) its
     where g.id = its.id`,
    { walletId },
  );
  // Once the requests are locked: an answer that was being given is stored by now.
  await tx.raw(
    `delete from idempotency_keys k using goodwill_requests g
     where g.wallet_id = :walletId
       and k.user_id in (
         select user_id from memberships where tenant_id = g.tenant_id union select g.requested_by)
       and k.path like '%/goodwill-requests%' and position(g.id::text in k.body) > 0`,
    { walletId },
  );
}

/** Lists the requests of a tenant before the request `before`, newest first. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before: GoodwillId | null },
): Promise<GoodwillRequest[]> {
  const { rows } = await db.raw<{ rows: GoodwillRequest[] }>(
    `select ${COLUMNS}
     from (
       select * from goodwill_requests
       where tenant_id = :tenantId and (:before::uuid is null or id < :before)
       order by id desc limit :limit
     ) g ${JOINED}
     order by g.id desc`,
    { tenantId, ...page },
  );
  return rows;
}

/** Finds the last request about a wallet of a tenant. */
export async function findLast(
  db: Db,
  tenantId: TenantId,
  walletId: WalletId,
): Promise<GoodwillRequest | undefined> {
  const { rows } = await db.raw<{ rows: GoodwillRequest[] }>(
    `select ${COLUMNS}
     from (
       select * from goodwill_requests
       where wallet_id = :walletId and tenant_id = :tenantId order by id desc limit 1
     ) g ${JOINED}`,
    { tenantId, walletId },
  );
  return rows[0];
}

/** Lists what waits in all shops, the longest first, starting after `after`. */
export async function listWaiting(
  db: Db,
  page: { limit: number; after: GoodwillId | null },
): Promise<WaitingRequest[]> {
  const { rows } = await db.raw<{ rows: WaitingRequest[] }>(
    `select ${COLUMNS}, t.name as tenant_name, t.status as tenant_status, w.balance,
       m.email as requested_by_email
     from (
       select * from goodwill_requests
       where status = 'open' and (:after::uuid is null or id > :after)
       order by id limit :limit
     ) g ${JOINED}
     join tenants t on t.id = g.tenant_id
     join users m on m.id = g.requested_by
     order by g.id`,
    page,
  );
  return rows;
}
