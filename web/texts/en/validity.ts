/** What the wallet says of points that expire. */
export const validityTexts = {
  title: 'Can be used until',
  until: (day: string) => `the end of ${day}`,
  never: 'for as long as you like',
  order: 'What you use is taken from the points that expire first.',
} as const;
