import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db, Tx } from '../connection.ts';
import { newIds } from '../new-id.ts';
import { one } from '../one.ts';

export type WalletStatus = 'active' | 'frozen';

/** A wallet with its tenant's name and logo. Points are integers. */
export type WalletView = {
  id: WalletId;
  tenantId: TenantId;
  userId: UserId;
  balance: number;
  status: WalletStatus;
  createdAt: Date;
  updatedAt: Date;
  tenantName: string;
  tenantLogoPath: string | null;
};

/** Lists a person's wallets across tenants, oldest first. A person has few: one per tenant. */
export async function listOfUser(db: Db, userId: UserId): Promise<WalletView[]> {
  return views(db)
    .where('w.userId', userId)
    .orderBy('w.createdAt')
    .orderBy('w.id')
    .limit(MAX_WALLETS);
}

/** Returns a person's own wallet. Throws NOT_FOUND for an unknown one and for another's alike. */
export async function getOwned(db: Db, walletId: WalletId, userId: UserId): Promise<WalletView> {
  const wallet = await views(db).where({ 'w.userId': userId, 'w.id': walletId }).first();
  if (wallet === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return wallet;
}

/** Returns a wallet of any person, for administrators. Throws NOT_FOUND. */
export async function get(db: Db, walletId: WalletId): Promise<WalletView> {
  const wallet = await views(db).where('w.id', walletId).first();
  if (wallet === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return wallet;
}

/** Finds the wallet of a person at a tenant. */
export async function findOfOwner(db: Db, owner: WalletOwner): Promise<WalletView | undefined> {
  const { tenantId, userId } = owner;
  return views(db).where({ 'w.userId': userId, 'w.tenantId': tenantId }).first();
}

/** A bound for a list that is returned without pages. */
const MAX_WALLETS = 1000;

function views(db: Db) {
  return db<WalletView>('wallets as w')
    .join('tenants as t', 't.id', 'w.tenantId')
    .select<WalletView[]>(
      'w.id',
      'w.tenantId',
      'w.userId',
      'w.balance',
      'w.status',
      'w.createdAt',
      'w.updatedAt',
      't.name as tenantName',
      't.logoPath as tenantLogoPath',
    );
}

export type WalletOwner = { userId: UserId; tenantId: TenantId };

/** Creates a wallet for each owner without one; those that exist stay as they are. */
export async function ensure(tx: Tx, owners: readonly WalletOwner[]): Promise<void> {
  await tx.raw(
    `insert into wallets (id, user_id, tenant_id)
     select distinct on (o.user_id, o.tenant_id) o.id, o.user_id, o.tenant_id
     from unnest(:ids::uuid[], :userIds::uuid[], :tenantIds::uuid[]) as o(id, user_id, tenant_id)
     order by o.user_id, o.tenant_id
     on conflict on constraint wallets_one_per_user_and_tenant do nothing`,
    {
      ids: newIds(owners.length),
      userIds: owners.map((owner) => owner.userId),
      tenantIds: owners.map((owner) => owner.tenantId),
    },
  );
}

/** Returns the owner's wallet, created if it is missing. */
export async function ensureOne(tx: Tx, owner: WalletOwner): Promise<WalletId> {
  await ensure(tx, [owner]);
  const rows = await tx('wallets')
    .where({ ...owner })
    .select<{ id: WalletId }[]>('id');
  return one(rows, 'wallet').id;
}

/** A wallet as an administrator acts on it. */
export type WalletState = {
  id: WalletId;
  tenantId: TenantId;
  userId: UserId;
  balance: number;
  status: WalletStatus;
};

/** Locks a wallet until the transaction ends, as the ledger does. Throws NOT_FOUND. */
export async function lock(tx: Tx, walletId: WalletId): Promise<WalletState> {
  const wallet = await tx<WalletState>('wallets')
    .where('id', walletId)
    .forNoKeyUpdate()
    .first('id', 'tenantId', 'userId', 'balance', 'status');
  if (wallet === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return wallet;
}

/** A wallet whose points a batch changes. */
export type LockedWallet = WalletOwner & { id: WalletId; balance: number };

/**
 * Locks wallets until the transaction ends, as the ledger does: those with these ids, and those of
 * these owners who have one.
 */
export async function lockAll(
  tx: Tx,
  ids: readonly WalletId[],
  owners: readonly WalletOwner[],
): Promise<LockedWallet[]> {
  if (ids.length + owners.length === 0) return [];
  const { rows } = await tx.raw<{ rows: LockedWallet[] }>(
    `select id, user_id, tenant_id, balance from wallets
     where id = any(array(
       select id from unnest(:ids::uuid[]) id
       union
       select w.id from unnest(:userIds::uuid[], :tenantIds::uuid[]) as o(user_id, tenant_id)
       cross join lateral (
         select id from wallets where user_id = o.user_id and tenant_id = o.tenant_id limit 1
       ) w
     )) order by id for no key update`,
    {
      ids: [...ids],
      userIds: owners.map((owner) => owner.userId),
      tenantIds: owners.map((owner) => owner.tenantId),
    },
  );
  return rows;
}

/** Freezes or unfreezes a wallet; one that has that status already stays as it is. */
export async function setStatus(tx: Tx, walletId: WalletId, status: WalletStatus): Promise<void> {
  await tx('wallets')
    .where('id', walletId)
    .whereNot('status', status)
    .update({ status, updatedAt: tx.fn.now() });
}
