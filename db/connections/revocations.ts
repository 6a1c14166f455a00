import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';

// A disconnected account that has tokens is one whose authorization is still to be revoked: the row
// is the outbox, so that no restart loses a revocation.

/** An account whose authorization a caller has taken to revoke it. */
export type Revocable = {
  id: ConnectionId;
  provider: Provider;
  merchantId: string;
  sealedAccessToken: Sealed;
  /** Whether a tenant is connected to the account, so that its authorization must stay. */
  isUsed: boolean;
  /** Whether a merchant is connecting an account of the provider, which may be this one. */
  isConnecting: boolean;
};

/** Longer than a call to a provider takes: then a revocation whose process was killed is free. */
const LEASE_SECONDS = 120;
/** An attempt waits as long as the account has been disconnected, within these bounds. */
const WAIT = { leastSeconds: 60, mostSeconds: 6 * 3_600 };
/** After that many days the tokens are removed, revoked or not. */
const GIVEN_UP_DAYS = 7;

/**
 * Takes up to `limit` disconnected accounts whose revocation is due, oldest first, or the given one
 * if it is due. Nobody else takes them for the next two minutes.
 *
 * Who connects an account says so before looking for a revocation under way (`isUnderWay`), and who
 * revokes takes it before looking for who connects. So at least one sees the other, and no
 * revocation reaches the provider after new tokens were issued, which it would end as well.
 */
export async function take(
  db: Db,
  options: { limit: number; id?: ConnectionId },
): Promise<Revocable[]> {
  const { limit, id = null } = options;
  const taken = await db.raw<{ rows: { id: ConnectionId }[] }>(
    `update pos_connections
     set revoke_after = now() + make_interval(secs => :lease)
     where id = any(array(
       select id from pos_connections
       where status = 'disconnected' and sealed_access_token is not null
         and (revoke_after is null or revoke_after <= now())
         and (:id::uuid is null or id = :id::uuid)
       order by revoke_after nulls first limit :limit for update skip locked
     ))
     returning id`,
    { limit, id, lease: LEASE_SECONDS },
  );
  if (taken.rows.length === 0) return [];
  // A statement of its own, which sees what was committed until the accounts were taken.
  const { rows } = await db.raw<{ rows: Revocable[] }>(
    `select c.id, c.provider, c.merchant_id, c.sealed_access_token,
       exists (select from pos_connections o where o.provider = c.provider
         and o.merchant_id = c.merchant_id and o.status = 'active') as is_used,
       exists (select from oauth_attempts a where a.provider = c.provider
         and a.status in ('waiting', 'exchanging') and a.expires_at > now()) as is_connecting
     from pos_connections c
     where c.id = any(:ids) and c.status = 'disconnected' and c.sealed_access_token is not null`,
    { ids: taken.rows.map((row) => row.id) },
  );
  return rows;
}

/** As long as a call to a provider takes at most. */
const CALL_SECONDS = 10;

/**
 * Whether a record, or any record of an account, was taken so recently that the provider may be
 * revoking the account at this moment. One that was put off looks the same for as long as a call
 * takes, at some time.
 */
export async function isUnderWay(
  db: Db,
  of: { id: ConnectionId } | { provider: Provider; merchantId: string },
): Promise<boolean> {
  const record = 'id' in of ? of : { provider: of.provider, merchantId: of.merchantId };
  const found = await db('pos_connections')
    .where({ ...record, status: 'disconnected' })
    .whereNotNull('sealedAccessToken')
    .whereRaw(
      `revoke_after > now() + make_interval(secs => :least)
       and revoke_after <= now() + make_interval(secs => :lease)`,
      { least: LEASE_SECONDS - CALL_SECONDS, lease: LEASE_SECONDS },
    )
    .first('id');
  return found !== undefined;
}

/** Removes the tokens of an account, unless it was connected again in the meantime. */
export async function forgetTokens(
  db: Db,
  { id, sealedAccessToken }: Pick<Revocable, 'id' | 'sealedAccessToken'>,
): Promise<void> {
  await db('pos_connections')
    .where({ id, sealedAccessToken, status: 'disconnected' })
    .update({ sealedAccessToken: null, sealedRefreshToken: null, revokeAfter: null });
}

/**
 * Puts a revocation off, later each time. After seven days the tokens are removed instead, and true
 * is returned.
 */
export async function postpone(
  db: Db,
  { id, sealedAccessToken }: Pick<Revocable, 'id' | 'sealedAccessToken'>,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isGivenUp: boolean }[] }>(
    `with late as (
       select id, now() - updated_at > make_interval(days => :days) as is_given_up,
         greatest(make_interval(secs => :least),
           least(now() - updated_at, make_interval(secs => :most))) as wait
       from pos_connections
       where id = :id and sealed_access_token = :sealedAccessToken and status = 'disconnected'
       for no key update
     )
     update pos_connections c
     set revoke_after = case when not l.is_given_up then now() + l.wait end,
       sealed_access_token = case when not l.is_given_up then c.sealed_access_token end,
       sealed_refresh_token = case when not l.is_given_up then c.sealed_refresh_token end
     from late l where c.id = l.id
     returning l.is_given_up`,
    {
      id,
      sealedAccessToken,
      days: GIVEN_UP_DAYS,
      least: WAIT.leastSeconds,
      most: WAIT.mostSeconds,
    },
  );
  return rows[0]?.isGivenUp === true;
}
