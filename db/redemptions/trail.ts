import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { RedemptionStatus } from '../../domain/redemption.ts';
import type { Db } from '../connection.ts';

/** A redemption as it is stored, without its code. */
export type RedemptionTrail = {
  id: RedemptionId;
  tenantId: TenantId;
  walletId: WalletId;
  userId: UserId;
  status: RedemptionStatus;
  points: number;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  usedBy: UserId | null;
  expiredAt: Date | null;
  /** When its consumer ended it; null unless they did. */
  cancelledAt: Date | null;
  pointsReturned: boolean;
  failedExpiries: number;
  nextExpiryAt: Date | null;
  codeMailedAt: Date | null;
  expiryToldAt: Date | null;
  followedAt: Date | null;
  /** The run that follows it; null while none does. */
  followedBy: string | null;
};

/** Returns all that happened to a redemption. Throws NOT_FOUND. */
export async function getRedemption(db: Db, id: RedemptionId): Promise<RedemptionTrail> {
  const { rows } = await db.raw<{ rows: RedemptionTrail[] }>(
    `select id, tenant_id, wallet_id, user_id, status, points, created_at, expires_at, used_at,
       used_by, expired_at, cancelled_at, points_returned, failed_expiries, next_expiry_at,
       code_mailed_at, expiry_told_at, followed_at, followed_by
     from redemptions where id = :id`,
    { id },
  );
  const [row] = rows;
  if (row === undefined) throw new Refusal('NOT_FOUND', 'There is no such redemption.');
  return row;
}
