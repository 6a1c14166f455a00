/** What the portal says of codes. */
export const codeTexts = {
  list: 'Codes',
  empty: 'There are no codes yet.',
  emptyText: 'A customer makes one in the wallet, to take money off a sale at your till.',
  emptyFilter: 'There are no such codes.',
  columns: {
    issued: 'Issued',
    who: 'Customer',
    worth: 'Worth',
    points: 'Points',
    status: 'Status',
    used: 'Used',
  },
  status: { issued: 'Can be used', used: 'Used', expired: 'Expired' },
  cancelled: 'Cancelled',
  by: (who: string) => `by ${who}`,
  day: 'End of day',
  filter: 'Status',
  all: 'All',
} as const;
