/**
 * How many of a tenant's newest sales are looked through for the last one of a connection. No index
 * holds the sales of each provider, which would cost each sale; these are read in a millisecond.
 */
const NEWEST = 1_000;

/**
 * A query of when the newest sale of a connection occurred and was stored, without a row if it is
 * none of the newest of the tenant; `of` names a row of connections.
 */
export const lastSale = (of: string, columns = 'occurred_at, created_at') => `
  (select ${columns} from (
     select id, provider, occurred_at, created_at from payments
     where tenant_id = ${of}.tenant_id order by created_at desc, id desc limit ${NEWEST}
   ) newest
   where provider = ${of}.provider order by created_at desc, id desc limit 1)`;

/** An expression for when that sale occurred. */
export const lastSaleAt = (of: string) => lastSale(of, 'occurred_at');
