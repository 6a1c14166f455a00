import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId, TenantId, WalletId } from '../../domain/ids.ts';
import type { MailedCode } from '../../domain/resending.ts';
import type { Tx } from '../connection.ts';
import { one } from '../one.ts';
import { CANCELLED_NOW, STATUS_NOW } from './status.ts';

// Codes whose mail is sent once more.

type Resendable = MailedCode & { walletId: WalletId };

/** Locks a code of a tenant until the transaction ends. Throws NOT_FOUND. */
export async function lock(tx: Tx, tenantId: TenantId, id: RedemptionId): Promise<Resendable> {
  const { rows } = await tx.raw<{ rows: Resendable[] }>(
    `select r.wallet_id, ${STATUS_NOW} as status, ${CANCELLED_NOW} as cancelled,
       r.used_at, r.expires_at, r.code_mailed_at is not null as is_mailed, r.code_resent as resent,
       coalesce(r.code_mailed_at > statement_timestamp() - interval '1 minute', false)
         as is_mailed_lately,
       u.email is not null and u.email_verified as has_address
     from redemptions r join users u on u.id = r.user_id
     where r.id = :id and r.tenant_id = :tenantId
     for no key update of r`,
    { id, tenantId },
  );
  const [code] = rows;
  if (code === undefined) throw new Refusal('NOT_FOUND', 'There is no such code. Check its id.');
  return code;
}

/**
 * Has the mail of a locked, open code sent once more, by a run to come. One that follows it is not
 * told, and leaves it alone. Returns how often it was sent again, this time included.
 */
export async function mailAgain(tx: Tx, tenantId: TenantId, id: RedemptionId): Promise<number> {
  const { rows } = await tx.raw<{ rows: { resent: number }[] }>(
    `update redemptions
     set code_mailed_at = null, followed_at = null, followed_by = null,
       code_resent = code_resent + 1
     where id = :id and tenant_id = :tenantId and status = 'issued'
     returning code_resent as resent`,
    { id, tenantId },
  );
  return one(rows, 'redemption').resent;
}
