/** What the portal says of what its lists come to, and of what a row is about. */
export const tableTexts = {
  sales: {
    count: (count: number, shown: string) => (count === 1 ? '1 sale' : `${shown} sales`),
    many: (most: string) => `More than ${most} sales: choose a shorter time to see their sums.`,
  },
  codes: {
    count: (count: number, shown: string) => (count === 1 ? '1 code' : `${shown} codes`),
    many: (most: string) => `More than ${most} codes: choose a shorter time to see their sums.`,
  },
  customers: {
    count: (count: number, shown: string) => (count === 1 ? '1 customer' : `${shown} customers`),
    many: (most: string) => `More than ${most} customers.`,
  },
  titles: { search: 'Search', sale: 'Sale', code: 'Code', customer: 'Customer' },
  back: 'Back',
  asPage: 'Open as a page',
  refunded: 'Refunded',
  reversed: 'Points reversed',
  owed: 'Points owed',
  provider: 'Point of sale',
  until: 'Can be used until',
  usedBy: 'Used by',
} as const;
