/** A code is used within its lifetime, which is minutes: an older one cannot be of the last day. */
const ISSUED_WITHIN = `interval '25 hours'`;

/**
 * SQL: the points of a wallet's codes that are open, or were used in the last 24 hours. What a rule
 * lets be redeemed is a share of these and of the balance together. Rewards have their own price:
 * codes for them do not count.
 */
export const recentPoints = (walletId: string) => `(
    select coalesce(sum(points), 0)::bigint from (
      select points from redemptions
      where wallet_id = ${walletId} and status = 'issued' and reward_id is null
      union all
      select points from redemptions
      where wallet_id = ${walletId} and status = 'used' and reward_id is null
        and created_at > now() - ${ISSUED_WITHIN} and used_at > now() - interval '24 hours'
    ) recent
  )`;

/** The same of the wallet `w`, where its `rule` lets only a share be redeemed; 0 elsewhere. */
export const RECENT_IF_LIMITED = `
    case when rule.max_redemption_percentage < 100 then ${recentPoints('w.id')} else 0 end`;
