import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { LEASE_SECONDS } from '../due-work.ts';

// A disconnected account that has tokens is one whose authorization is still to be revoked.

/** An account whose authorization is to be revoked. */
export type Revocable = {
  id: ConnectionId;
  provider: Provider;
  merchantId: string;
  sealedAccessToken: Sealed;
  /** Whether a tenant is connected to the account, so that its authorization must stay. */
  isUsed: boolean;
  /** Whether a merchant is connecting an account of the provider, which may be this one. */
  isConnecting: boolean;
  /** Whether it was tried for so long that the tokens are removed without it. */
  isGivenUp: boolean;
};

/** After that many days the tokens are removed, revoked or not. */
const GIVEN_UP_DAYS = 7;

/**
 * Finds those of the accounts whose authorization is still to be revoked.
 *
 * Who connects an account says so before looking for a revocation under way (`isUnderWay`), and who
 * revokes takes it before looking here for who connects. So at least one sees the other, and no
 * revocation reaches the provider after new tokens were issued, which it would end as well.
 */
export async function find(db: Db, ids: readonly ConnectionId[]): Promise<Revocable[]> {
  const { rows } = await db.raw<{ rows: Revocable[] }>(
    `select c.id, c.provider, c.merchant_id, c.sealed_access_token,
       exists (select from pos_connections o where o.provider = c.provider
         and o.merchant_id = c.merchant_id and o.status = 'active') as is_used,
       exists (select from oauth_attempts a where a.provider = c.provider
         and a.status in ('waiting', 'exchanging') and a.expires_at > now()) as is_connecting,
       c.updated_at < now() - make_interval(days => :days) as is_given_up
     from pos_connections c
     where c.id = any(:ids) and c.status = 'disconnected' and c.sealed_access_token is not null`,
    { ids: [...ids], days: GIVEN_UP_DAYS },
  );
  return rows;
}

/** As long as a call to a provider takes at most. */
const CALL_SECONDS = 10;

/**
 * Whether a record, or any record of an account, was taken so recently that the provider may be
 * revoking the account at this moment.
 */
export async function isUnderWay(
  db: Db,
  of: { id: ConnectionId } | { provider: Provider; merchantId: string },
): Promise<boolean> {
  const record = 'id' in of ? of : { 'c.provider': of.provider, merchantId: of.merchantId };
  const found = await db('pos_connections as c')
    .join('due_work as d', 'd.subject_id', 'c.id')
    .where({ ...record, 'c.status': 'disconnected', 'd.kind': 'revoke_authorization' })
    .whereNotNull('c.sealedAccessToken')
    .whereRaw('d.taken_until > now() + make_interval(secs => ?)', [LEASE_SECONDS - CALL_SECONDS])
    .first('c.id');
  return found !== undefined;
}

/** Removes the tokens of an account, unless it was connected again in the meantime. */
export async function forgetTokens(
  db: Db,
  { id, sealedAccessToken }: Pick<Revocable, 'id' | 'sealedAccessToken'>,
): Promise<void> {
  await db('pos_connections')
    .where({ id, sealedAccessToken, status: 'disconnected' })
    .update({ sealedAccessToken: null, sealedRefreshToken: null });
}
