/** What the till and the portal say of a day at the tills. */
export const daySheetTexts = {
  title: 'End of day',
  of: (shop: string, day: string) => `${shop}, ${day}`,
  day: 'Day',
  print: 'Print it',
  who: 'Who',
  total: 'All together',
  somebody: 'A colleague',
  codes: 'Codes taken',
  items: 'Of these handed out',
  attached: 'Sales given points',
  off: 'Taken off',
  empty: 'Nothing was taken on this day.',
  clocks: (place: string) => `A day begins and ends at midnight in ${place}.`,
} as const;
