/** What the portal says of the customers of a shop. */
export const customerTexts = {
  list: 'Customers',
  empty: 'No customer has collected points here yet.',
  emptyText: 'They appear with the first sale in which their e-mail or phone number is known.',
  which: 'Show',
  filters: {
    all: 'All',
    owes: 'Those who owe points',
    unusual: 'Those with unusual movements',
  },
  emptyFilter: 'There is no such customer.',
  unusualHint: 'More than five sales and codes within 24 hours, lately.',
  owed: (points: string) =>
    `${points === '1' ? '1 point' : `${points} points`} will be taken from what comes next: a ` +
    'purchase was refunded after its points were used.',
  columns: {
    who: 'Customer',
    balance: 'Points',
    worth: 'Worth',
    last: 'Points last moved',
  },
  status: { active: 'Active', frozen: 'Frozen' },
  back: 'Customers',
  title: 'A customer',
  nobody: 'No address',
  points: 'Points',
  worth: (amount: string) => `worth ${amount}`,
  lastVisit: 'Last visit',
  noVisit: 'none yet',
  visits: 'Visits',
  average: (amount: string) => `${amount} on average`,
  since: 'Customer since',
  transactions: 'Last sales',
  noTransactions: 'No sales yet.',
  codes: 'Last codes',
  noCodes: 'No codes yet.',
} as const;
