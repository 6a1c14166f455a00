import type { PaymentId, RedemptionId, TenantId, WalletId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { RedemptionStatus } from '../domain/redemption.ts';
import type { NamedReward } from '../domain/rewards.ts';
import type { AuditAction } from './audit-log.ts';
import type { Db } from './connection.ts';
import { CANCELLED_NOW, STATUS_NOW } from './redemptions/status.ts';
import { rewardOf } from './tenants/rewards.ts';

// What administrators find by an id that somebody quotes to them, at whichever tenant it is.

/** Whose it is, and where it is shown. */
type Owned = {
  tenantId: TenantId;
  tenantName: string;
  email: string | null;
  phone: string | null;
};

/** A payment in a few words. */
export type QuotedPayment = Owned & {
  id: PaymentId;
  provider: Provider;
  providerPaymentId: string;
  amountMinorUnits: number;
  currency: string;
  occurredAt: Date;
  /** Null while it belongs to no one. */
  walletId: WalletId | null;
};

/** Finds payments by our ids, oldest first. */
export async function findPayments(db: Db, ids: readonly PaymentId[]): Promise<QuotedPayment[]> {
  const { rows } = await db.raw<{ rows: QuotedPayment[] }>(
    `select p.id, p.provider, p.provider_payment_id, p.amount_minor_units, p.currency,
       p.occurred_at, p.tenant_id, t.name as tenant_name, p.wallet_id, u.email, u.phone
     from payments p
     join tenants t on t.id = p.tenant_id
     left join users u on u.id = p.user_id
     where p.id = any(:ids::uuid[])
     order by p.created_at, p.id`,
    { ids: [...ids] },
  );
  return rows;
}

/** A redemption in a few words. Its status is the current one by the database's clock. */
export type QuotedRedemption = Owned & {
  id: RedemptionId;
  walletId: WalletId;
  status: RedemptionStatus;
  cancelled: boolean;
  discountValueMinorUnits: number;
  currency: string | null;
  reward: NamedReward | null;
  createdAt: Date;
};

/** Finds the redemption with an id, and the one whose code has one of these HMACs. */
export async function findRedemptions(
  db: Db,
  { id, hmacs }: { id: RedemptionId | null; hmacs: readonly Buffer[] },
): Promise<QuotedRedemption[]> {
  const { rows } = await db.raw<{ rows: QuotedRedemption[] }>(
    `select r.id, r.wallet_id, ${STATUS_NOW} as status, ${CANCELLED_NOW} as cancelled,
       r.discount_value_minor_units, r.currency, r.created_at, ${rewardOf(db)},
       r.tenant_id, t.name as tenant_name, u.email, u.phone
     from redemptions r
     join tenants t on t.id = r.tenant_id
     join users u on u.id = r.user_id
     where r.id = any(array(
       select :id::uuid union all
       select id from redemptions where code_hmac = any(:hmacs::bytea[])
     ))`,
    { id, hmacs: [...hmacs] },
  );
  return rows;
}

/** The newest entry that a request left in the audit log. */
export type QuotedRequest = {
  /** The correlation id, by which the log is narrowed down. */
  requestId: string;
  action: AuditAction;
  createdAt: Date;
  tenantId: TenantId | null;
  tenantName: string | null;
  actorEmail: string | null;
};

/** Finds what a request did by its correlation id, or else by the id that we gave it, a UUID. */
export async function findRequest(
  db: Db,
  { requestId, rowId }: { requestId: string; rowId: string | null },
): Promise<QuotedRequest | undefined> {
  const { rows } = await db.raw<{ rows: QuotedRequest[] }>(
    `select a.request_id, a.action, a.created_at, a.tenant_id, t.name as tenant_name,
       u.email as actor_email
     from audit_log a
     left join tenants t on t.id = a.tenant_id
     left join users u on u.id = a.actor_user_id
     where a.seq = any(array(
       (select seq from audit_log where request_id = :requestId order by seq desc limit 1)
       union all
       (select seq from audit_log where generated_request_id = :rowId::uuid
        order by seq desc limit 1)
     ))
     order by a.request_id = :requestId desc limit 1`,
    { requestId, rowId },
  );
  return rows[0];
}
