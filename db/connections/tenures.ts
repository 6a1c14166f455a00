import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';

// A trigger keeps the tenures, whoever writes connections (migrations/0005_connections.ts).

/** A sale of an account at a provider. */
export type AccountSale = { provider: Provider; merchantId: string; occurredAt: Date };

/** A tenant that had the account when a sale was made. */
export type SaleOwner = { tenantId: TenantId };

/**
 * An expression for since when sales earn in the tenure that is open; null without one. `of` names
 * a row with provider, merchant_id and tenant_id.
 */
export const earnsFrom = (of: string) => `(
    select earns_from from account_tenures
    where provider = ${of}.provider and merchant_id = ${of}.merchant_id and ended_at is null
      and tenant_id = ${of}.tenant_id limit 1)`;

/**
 * An expression for when an active connection was made. Its tenure earns from seven days before, or
 * from the end of another tenant's within these. `of` names a row of connections.
 */
export const connectedSince = (of: string) =>
  `least(${earnsFrom(of)} + interval '7 days', ${of}.updated_at)`;

/**
 * Finds which tenant had the account when each sale was made, in the same order; undefined where
 * none had it. It looks at all tenures, also at those that have ended.
 */
export async function findOwners(
  db: Db,
  sales: readonly AccountSale[],
): Promise<(SaleOwner | undefined)[]> {
  const { rows } = await db.raw<{ rows: (SaleOwner & { nth: number })[] }>(
    `select q.nth, tenure.tenant_id
     from unnest(:providers::text[], :merchantIds::text[], :times::timestamptz[]) with ordinality
       as q(provider, merchant_id, occurred_at, nth)
     cross join lateral (
       select tenant_id from account_tenures
       where provider = q.provider and merchant_id = q.merchant_id
         and earns_from <= q.occurred_at and coalesce(ended_at, 'infinity') > q.occurred_at
       order by earns_from desc limit 1
     ) tenure`,
    {
      providers: sales.map(({ provider }) => provider),
      merchantIds: sales.map(({ merchantId }) => merchantId),
      times: sales.map(({ occurredAt }) => occurredAt.toISOString()),
    },
  );
  const owners = new Map(rows.map(({ nth, ...owner }) => [nth, owner]));
  return sales.map((_, index) => owners.get(index + 1));
}

/**
 * Has the open tenure of a connection begin at an earlier time, so that sales of then earn: for
 * sandboxes, where sales are dated back. Undefined without an open tenure, or where the account was
 * another tenant's after that time.
 */
export async function backdate(
  db: Db,
  connectionId: ConnectionId,
  earnsFrom: Date,
): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { earnsFrom: Date }[] }>(
    `update account_tenures t set earns_from = least(t.earns_from, :earnsFrom::timestamptz)
     from pos_connections c
     where c.id = :connectionId and c.provider = t.provider and c.merchant_id = t.merchant_id
       and c.tenant_id = t.tenant_id and t.ended_at is null
       and not exists (
         select from account_tenures o
         where o.provider = t.provider and o.merchant_id = t.merchant_id
           and o.tenant_id <> t.tenant_id and o.ended_at > :earnsFrom::timestamptz
       )
     returning t.earns_from`,
    { connectionId, earnsFrom: earnsFrom.toISOString() },
  );
  return rows[0]?.earnsFrom;
}
