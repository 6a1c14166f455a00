import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import type { WalletStatus } from '../ledger/wallets.ts';
import { UNUSUAL_USERS } from './unusual.ts';

/** A user with a wallet at a tenant. The contacts are complete: mask them before they are sent. */
export type Consumer = {
  userId: UserId;
  walletId: WalletId;
  email: string | null;
  phone: string | null;
  balance: number;
  status: WalletStatus;
  /** When points last moved; null when they never did. */
  lastActivityAt: Date | null;
};

/** Finds a tenant's consumer; undefined for whoever has no wallet there. */
export async function find(
  db: Db,
  tenantId: TenantId,
  userId: UserId,
): Promise<Consumer | undefined> {
  const { rows } = await db.raw<{ rows: Consumer[] }>(
    `${CONSUMER} where w.tenant_id = :tenantId and w.user_id = :userId`,
    { tenantId, userId },
  );
  return rows[0];
}

/** What the list is narrowed down to. */
type Which = {
  /** Those who owe points. */
  owes?: boolean;
  /** Those whose movements are unusual at this moment. */
  unusual?: boolean;
};

/** Lists a tenant's consumers, newest wallet first, starting after `after`. */
export async function listOfTenant(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: WalletId | undefined } & Which,
): Promise<Consumer[]> {
  const { limit, after, owes = false, unusual = false } = page;
  const { rows } = await db.raw<{ rows: Consumer[] }>(
    `${CONSUMER}
     where w.tenant_id = :tenantId ${owes ? 'and w.owed > 0' : ''}
       ${unusual ? `and w.user_id = any(array(${UNUSUAL_USERS}))` : ''}
       ${after === undefined ? '' : AFTER}
     order by w.created_at desc, w.id desc
     limit :limit`,
    { tenantId, limit, ...(after && { after }) },
  );
  return rows;
}

const CONSUMER = `
  select w.user_id, w.id as wallet_id, u.email, u.phone, w.balance, w.status,
    (select e.created_at from ledger_entries e where e.wallet_id = w.id and e.seq = w.seq)
      as last_activity_at
  from wallets w join users u on u.id = w.user_id`;

const AFTER = `and (w.created_at, w.id) <
  (select a.created_at, a.id from wallets a where a.tenant_id = :tenantId and a.id = :after)`;
