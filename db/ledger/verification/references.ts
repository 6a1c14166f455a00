// Compares references with the rows that they name. No constraint does, because each would cost
// every sale a look-up and a lock; no row that they name is ever deleted.

/** Looks the row up; `not exists` might be planned as a scan of the whole table. */
const noRow = (table: string, id: string) =>
  `(select true from ${table} where id = ${id} limit 1) is null`;

/** What is wrong with the references of the wallet `s`, in words; null if nothing. */
export const WALLET_REFERENCES = `
  case
    when ${noRow('tenants', 's.tenant_id')} then format('tenant %s does not exist', s.tenant_id)
    when ${noRow('users', 's.user_id')} then format('user %s does not exist', s.user_id)
  end`;

/**
 * What is wrong with the references of the payment `p`, in words; null if nothing. A payment
 * without points names no wallet, and an anonymous one no user. Tenant and user of its wallet are
 * compared with the wallet.
 */
export const PAYMENT_REFERENCES = `
  case
    when p.wallet_id is not null then case
      when (
        select tenant_id = p.tenant_id and user_id = p.user_id from wallets
        where id = p.wallet_id limit 1
      ) is not true then 'names a wallet that is not of its tenant and user'
    end
    when ${noRow('tenants', 'p.tenant_id')} then 'is of a tenant that does not exist'
    when p.user_id is not null and ${noRow('users', 'p.user_id')}
      then 'is of a user who does not exist'
  end`;

/**
 * What is wrong with the references of the redemption `r`, in words; null if nothing. Tenant and
 * user of its wallet are compared with the wallet.
 */
export const REDEMPTION_REFERENCES = `
  case
    when (
      select tenant_id = r.tenant_id and user_id = r.user_id from wallets
      where id = r.wallet_id limit 1
    ) is not true then 'names a wallet that is not of its tenant and user'
    when r.used_by is not null and ${noRow('users', 'r.used_by')}
      then 'was used by a user who does not exist'
  end`;
