/** What the portal says of what a shop owes its customers in points. */
export const liabilityTexts = {
  lead:
    'For your accounts: what customers could still use after the end of a month, counted when ' +
    'it had ended. It stays as it was then; what is owed now is on your home page.',
  none: 'No month has been counted yet',
  noneWhat:
    'This is written when a month ends by which points can expire. Under Terms you say after ' +
    'how many months they do.',
  after: (month: string) => `After ${month}`,
  asOf: (when: string) => `Counted ${when}`,
  outstanding: (points: string) => (points === '1' ? '1 point' : `${points} points`),
  openCodes: (points: string) => `${points} of them in codes that were open`,
  inRewards: 'Worth in rewards',
  factor: (amount: string) => `${amount} for 100 points`,
  inRewardsWhat: 'By the rewards that were used in the 90 days before, at what they cost you.',
  months: 'By the month in which points were earned',
  month: 'Earned in',
  earned: 'Earned',
  reversed: 'Taken back by refunds',
  used: 'Used',
  expired: 'Expired',
  left: 'Left',
  nothing: 'No points could be used any more.',
} as const;
