// What is true of a redemption `r` at this moment, in SQL, whatever its row says yet. A subquery
// with a value is asked of each row; `exists` might be hashed, which reads whole tables.

/**
 * Whether the wallet is frozen or its owner suspended. Both cancel the codes that they find; one
 * that was being issued meanwhile is not found, and counts as cancelled until it is closed.
 */
export const IS_HELD = `(
  select w.status = 'frozen' or u.status = 'suspended'
  from wallets w join users u on u.id = w.user_id where w.id = r.wallet_id)`;

/** The condition that its code was neither closed nor has run out. */
export const IS_OPEN = `r.status = 'issued' and r.expires_at > statement_timestamp()`;

/** The condition that its code can be used. */
export const IS_USABLE = `${IS_OPEN} and not ${IS_HELD}`;

/** Its status: an overdue or held code counts as expired before its row says so. */
export const STATUS_NOW = `case
  when r.status = 'issued' and (r.expires_at <= statement_timestamp() or ${IS_HELD}) then 'expired'
  else r.status end`;

/** Whether it was cancelled, or counts as such: held within its time. */
export const CANCELLED_NOW = `(r.cancelled_at is not null
  or (${IS_OPEN} and ${IS_HELD}))`;
