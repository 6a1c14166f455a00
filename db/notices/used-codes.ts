import type { RedemptionId, UserId, WalletId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Db } from '../connection.ts';

/** A code that was used, of which its owner's phones are to be told. */
export type UsedCode = {
  id: RedemptionId;
  userId: UserId;
  walletId: WalletId;
  language: Language | null;
  tenantName: string;
};

/** What has not come by then is of no use to anybody. */
const WITHIN = `interval '1 hour'`;

/** Finds codes that were used within the hour, of those who can still sign in. */
export async function findUsed(db: Db, ids: readonly RedemptionId[]): Promise<UsedCode[]> {
  const { rows } = await db.raw<{ rows: UsedCode[] }>(
    `select r.id, r.user_id, r.wallet_id, u.language, t.name as tenant_name
     from redemptions r
     join users u on u.id = r.user_id
     join tenants t on t.id = r.tenant_id
     where r.id = any(:ids::uuid[]) and r.status = 'used' and r.used_at > now() - ${WITHIN}
       and u.status = 'active'`,
    { ids: [...ids] },
  );
  return rows;
}
