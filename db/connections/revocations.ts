import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { type Provider, REVOKING_PROVIDERS } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import * as dueWork from '../due-work.ts';

// An account that a tenant has left, by disconnecting it or for another one, is revoked at its
// provider. The tenure that has ended says so, since the tenant's connection may name another
// account meanwhile.

/** An account that was left, and the connection that named it. */
export type LeftAccount = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: Provider;
  merchantId: string;
};

/** Has our access to an account revoked that the tenant has left, where its provider can. */
export async function note(db: Db, left: LeftAccount): Promise<void> {
  if (!REVOKING_PROVIDERS.some((each) => each === left.provider)) return;
  await db.raw(
    `update account_tenures set to_revoke = true
     where id = (
       select max(id) from account_tenures
       where provider = :provider and merchant_id = :merchantId and tenant_id = :tenantId
         and ended_at is not null)`,
    left,
  );
  await dueWork.note(db, 'revoke_authorization', [left.id]);
}

/** An account whose authorization is to be revoked. */
export type Revocable = Pick<LeftAccount, 'id' | 'provider' | 'merchantId'> & {
  tenureId: number;
  /** Whether a tenant is connected to the account, so that its authorization must stay. */
  isUsed: boolean;
  /** Whether a merchant is connecting an account of the provider, which may be this one. */
  isConnecting: boolean;
  /** Whether it was tried for so long that it is left as it is. */
  isGivenUp: boolean;
};

/** For how many days it is tried. */
const GIVEN_UP_DAYS = 7;

/**
 * Finds the accounts that the connections have left and whose authorization is still to be revoked.
 *
 * Who connects an account says so before looking for a revocation under way (`isUnderWay`), and who
 * revokes takes it before looking here for who connects. So at least one sees the other, and no
 * revocation reaches the provider after new tokens were issued, which it would end as well.
 */
export async function find(db: Db, ids: readonly ConnectionId[]): Promise<Revocable[]> {
  const { rows } = await db.raw<{ rows: Revocable[] }>(
    `select c.id, t.id as tenure_id, t.provider, t.merchant_id,
       exists (select from pos_connections o where o.provider = t.provider
         and o.merchant_id = t.merchant_id and o.status = 'active') as is_used,
       exists (select from oauth_attempts a where a.provider = t.provider
         and a.status in ('waiting', 'exchanging') and a.expires_at > now()) as is_connecting,
       t.ended_at < now() - make_interval(days => :days) as is_given_up
     from pos_connections c
     join account_tenures t on t.tenant_id = c.tenant_id and t.provider = c.provider
     where c.id = any(:ids) and t.to_revoke`,
    { ids: [...ids], days: GIVEN_UP_DAYS },
  );
  return rows;
}

/** As long as a call to a provider takes at most. */
const CALL_SECONDS = 10;

/**
 * Whether the revocations of a connection, or any of an account, were taken so recently that the
 * provider may be revoking the account at this moment.
 */
export async function isUnderWay(
  db: Db,
  of: { id: ConnectionId } | { provider: Provider; merchantId: string },
): Promise<boolean> {
  const left =
    'id' in of ? { 'c.id': of.id } : { 't.provider': of.provider, 't.merchantId': of.merchantId };
  const found = await db('account_tenures as t')
    .join('pos_connections as c', { 'c.tenantId': 't.tenantId', 'c.provider': 't.provider' })
    .join('due_work as d', 'd.subject_id', 'c.id')
    .where({ ...left, 't.toRevoke': true, 'd.kind': 'revoke_authorization' })
    .whereRaw('d.taken_until > now() + make_interval(secs => ?)', [
      dueWork.LEASE_SECONDS - CALL_SECONDS,
    ])
    .first('c.id');
  return found !== undefined;
}

/** Notes that the authorization of an account needs to be revoked no more. */
export async function settle(db: Db, { tenureId }: Pick<Revocable, 'tenureId'>): Promise<void> {
  await db('account_tenures').where({ id: tenureId }).update({ toRevoke: false });
}
