import { Refusal } from '../../domain/errors.ts';
import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import {
  NOTHING_PENDING,
  type PendingPoints,
  type RedemptionLimits,
} from '../../domain/redemption.ts';
import type { EarningTerms } from '../../domain/reward-rule.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import type { Db, Tx } from '../connection.ts';
import { newIds } from '../new-id.ts';
import { one } from '../one.ts';
import { MAY_HAVE_PENDING, sumPending } from '../payments/pending.ts';
import { RECENT_IF_LIMITED } from '../redemptions/recent-points.ts';
import { ruleInEffect } from '../tenants/reward-rules.ts';

export type WalletStatus = 'active' | 'frozen';

/** A wallet as its owner sees it: with its tenant, and that tenant's rule in effect. */
export type WalletView = PendingPoints & {
  id: WalletId;
  tenantId: TenantId;
  userId: UserId;
  balance: number;
  /** Points that were refunded after they were used, to be taken from what comes next. */
  owed: number;
  /** In codes that are open or were used in the last 24 hours; 0 unless the rule has a share. */
  recent: number;
  status: WalletStatus;
  createdAt: Date;
  updatedAt: Date;
  tenantName: string;
  tenantStatus: TenantStatus;
  tenantLogoPath: string | null;
  tenantColor: string | null;
  /** The tenant's; null until it is known. */
  currency: string | null;
  /** Null when the tenant has no rule in effect. */
  rule: WalletRule | null;
};

/** What points of a wallet are earned for, and redeemed by. Rates are decimal text. */
export type WalletRule = RedemptionLimits &
  Pick<EarningTerms, 'conversionRate' | 'minSpendMinorUnits'>;

/** Lists a person's wallets across tenants, oldest first. A person has few: one per tenant. */
export async function listOfUser(db: Db, userId: UserId): Promise<WalletView[]> {
  const bindings = { userIds: [userId], limit: MAX_WALLETS };
  return views(db, 'order by w.created_at, w.id limit :limit', bindings);
}

/** Returns those of the wallets that belong to one of the people, in no order. */
export async function listOwned(
  db: Db,
  userIds: readonly UserId[],
  ids: readonly WalletId[],
): Promise<WalletView[]> {
  return views(db, 'and w.id = any(:ids::uuid[])', { userIds: [...userIds], ids: [...ids] });
}

/** Returns a person's own wallet. Throws NOT_FOUND for an unknown one and for another's alike. */
export async function getOwned(db: Db, walletId: WalletId, userId: UserId): Promise<WalletView> {
  const [wallet] = await views(db, 'and w.id = :walletId', { userIds: [userId], walletId });
  if (wallet === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return wallet;
}

/** Returns a wallet of any person, for administrators. Throws NOT_FOUND. */
export async function get(db: Db, walletId: WalletId): Promise<WalletView> {
  const owner = await db('wallets')
    .where({ id: walletId })
    .first<{ userId: UserId } | undefined>('userId');
  if (owner === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return getOwned(db, walletId, owner.userId);
}

/** Finds the wallet of a person at a tenant. */
export async function findOfOwner(
  db: Db,
  { userId, tenantId }: WalletOwner,
): Promise<WalletView | undefined> {
  const [wallet] = await views(db, 'and w.tenant_id = :tenantId', { userIds: [userId], tenantId });
  return wallet;
}

/** A bound for a list that is returned without pages. */
const MAX_WALLETS = 1000;

const RULE = `r.version, r.conversion_rate, r.min_spend_minor_units, r.min_balance_to_redeem,
  r.max_redemption_percentage`;

const VIEWS = `
  select w.id, w.tenant_id, w.user_id, w.balance, w.owed, w.status, w.created_at, w.updated_at,
    t.name as tenant_name, t.status as tenant_status, t.logo_path as tenant_logo_path,
    t.color as tenant_color, t.currency, rule.*,
    ${RECENT_IF_LIMITED} as recent, ${MAY_HAVE_PENDING} as may_have_pending
  from wallets w
  join tenants t on t.id = w.tenant_id
  left join lateral (${ruleInEffect(RULE, 'w.tenant_id')}) rule on true
  where w.user_id = any(:userIds::uuid[])`;

type ViewRow = Omit<WalletView, 'rule' | keyof PendingPoints> &
  WalletRule & { version: number | null; mayHavePending: boolean };

async function views(
  db: Db,
  which: string,
  bindings: { userIds: UserId[]; walletId?: WalletId; ids?: WalletId[]; limit?: number } & Partial<
    Pick<WalletOwner, 'tenantId'>
  >,
): Promise<WalletView[]> {
  const { rows } = await db.raw<{ rows: ViewRow[] }>(`${VIEWS} ${which}`, bindings);
  const ids = rows.flatMap(({ id, mayHavePending }) => (mayHavePending ? [id] : []));
  const pending = ids.length === 0 ? undefined : await sumPending(db, ids);
  return rows.map(({ mayHavePending: _, ...row }) => {
    const { version, conversionRate, minSpendMinorUnits, ...others } = row;
    const { minBalanceToRedeem, maxRedemptionPercentage, ...wallet } = others;
    const earning = { conversionRate, minSpendMinorUnits };
    const limits = { minBalanceToRedeem, maxRedemptionPercentage };
    const waiting = pending?.get(wallet.id) ?? NOTHING_PENDING;
    return { ...wallet, ...waiting, rule: version === null ? null : { ...earning, ...limits } };
  });
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
  /** Points that its payments owe for refunds. */
  owed: number;
  status: WalletStatus;
  /** When its owner was erased. */
  closedAt: Date | null;
};

/** Locks a wallet until the transaction ends, as the ledger does. Throws NOT_FOUND. */
export async function lock(tx: Tx, walletId: WalletId): Promise<WalletState> {
  const wallet = await tx<WalletState>('wallets')
    .where('id', walletId)
    .forNoKeyUpdate()
    .first('id', 'tenantId', 'userId', 'balance', 'owed', 'status', 'closedAt');
  if (wallet === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  return wallet;
}

/** A wallet whose points a batch changes, and what it owes for refunds. */
export type LockedWallet = WalletOwner & {
  id: WalletId;
  balance: number;
  owed: number;
  /** Whether its owner was erased. */
  isClosed: boolean;
};

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
    `select id, user_id, tenant_id, balance, owed, closed_at is not null as is_closed
     from wallets
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

/** Locks those of these wallets that nobody else holds until the transaction ends. */
export async function lockAllFree(tx: Tx, ids: readonly WalletId[]): Promise<LockedWallet[]> {
  const { rows } = await tx.raw<{ rows: LockedWallet[] }>(
    `select id, user_id, tenant_id, balance, owed, closed_at is not null as is_closed
     from wallets
     where id = any(:ids::uuid[]) order by id for no key update skip locked`,
    { ids: [...ids] },
  );
  return rows;
}

/**
 * Locks those wallets of these owners that nobody else holds until the transaction ends, and
 * returns the owners of the others.
 */
export async function lockFree(tx: Tx, owners: readonly WalletOwner[]): Promise<WalletOwner[]> {
  const { rows } = await tx.raw<{ rows: WalletOwner[] }>(
    `with sought as (
       select w.* from unnest(:userIds::uuid[], :tenantIds::uuid[]) as o(user_id, tenant_id)
       cross join lateral (
         select id, user_id, tenant_id from wallets
         where user_id = o.user_id and tenant_id = o.tenant_id limit 1
       ) w
     ),
     free as (
       select id from wallets where id = any(array(select id from sought))
       order by id for no key update skip locked
     )
     select distinct user_id, tenant_id from sought where id not in (select id from free)`,
    {
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
