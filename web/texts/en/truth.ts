/** What the portal says of the days that were compared with a point of sale's own list. */
export const truthTexts = {
  title: 'Day by day',
  lead: (label: string) => `Each night we compare the day before with what ${label} lists of it.`,
  nothing: 'No day has been compared yet, so that none has a mark. Choose one to compare it now.',
  statuses: {
    agrees: 'All sales are here',
    repaired: 'Sales were missing, and were brought in',
    differs: 'Something is missing',
    unavailable: 'Could not be compared',
    none: 'Not compared',
  },
  dayOf: (day: string, status: string) => `${day}: ${status}`,
  listed: (label: string) => `${label} lists`,
  here: 'Here are',
  sales: (count: number, shown: string, amount: string) =>
    `${count === 1 ? '1 sale' : `${shown} sales`}, ${amount}`,
  refunded: (amount: string) => `${amount} refunded`,
  missing: (count: number, shown: string) =>
    count === 1 ? '1 sale was not here.' : `${shown} sales were not here.`,
  changed: (count: number, shown: string) =>
    count === 1
      ? '1 sale was here with another amount or refund.'
      : `${shown} sales were here with another amount or refund.`,
  unknown: (count: number, shown: string, label: string) =>
    count === 1
      ? `1 sale is here that ${label} does not know any more.`
      : `${shown} sales are here that ${label} does not know any more.`,
  repaired: (count: number, shown: string) =>
    count === 1 ? '1 was brought in.' : `${shown} were brought in.`,
  bringIn: 'Bring in what is missing',
  compare: 'Compare this day now',
  earns: 'What is brought in earns by the rule that is in effect now, and nothing counts twice.',
  running: 'Being compared. This mostly takes seconds.',
  later: 'This takes longer than usual. It goes on by itself: look again later.',
} as const;
