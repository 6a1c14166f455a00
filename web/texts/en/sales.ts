import type { Schema } from '../../shared/client.tsx';

type Transaction = Schema['Transaction'];

/** What the portal says of sales. */
export const saleTexts = {
  list: 'Sales',
  empty: 'There are no such sales.',
  columns: {
    when: 'When',
    amount: 'Amount',
    who: 'Customer',
    outcome: 'Outcome',
    points: 'Points',
    why: 'Why',
  },
  why: 'Why?',
  whyOf: (amount: string, when: string) => `Why? ${amount}, ${when}`,
  received: (day: string) => `received on ${day}`,
  refunded: (amount: string) => `${amount} refunded`,
  reversed: (points: string) => `${points} reversed`,
  owed: (points: string) => `${points} owed`,
  noPoints: 'No points',
  outcomes: {
    credited: 'Credited',
    stored_anonymous: 'No known customer',
    duplicate: 'Duplicate',
    no_rule_no_credit: 'No rule',
  } satisfies Record<Transaction['outcome'], string>,
  /** Why less was earned than a customer would expect. */
  reasons: {
    zero_amount: 'the amount was zero',
    below_minimum: 'below the least that earns',
    rounded_to_zero: 'worth less than a point',
    capped_to_zero: 'the rule gives no points',
    capped_to_limit: 'the most that a sale can earn',
    no_contacts: 'no e-mail or phone',
    no_match: 'no customer has its e-mail or phone',
    no_rule: 'no rule was in effect',
    before_connection: 'made before the shop collected points here',
    currency_mismatch: 'in another currency',
    tenant_suspended: 'the shop is suspended',
  } satisfies Record<string, string>,
  filters: 'Filters',
  all: 'All',
  outcome: 'Outcome',
  /** Those that were credited to somebody, also with no points. */
  known: 'Known customer',
  id: 'Payment id at the point of sale',
} as const;
