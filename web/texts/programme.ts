/** What the portal says of what a shop promises beyond its rule. */
export const programmeTexts = {
  lead: 'What customers can rely on when they return something, beside the rule.',
  now: 'Now',
  earlier: 'Earlier',
  window: (days: number) =>
    days === 0
      ? 'Points can be used at once'
      : `Points wait ${days} ${days === 1 ? 'day' : 'days'} after a sale`,
  since: (when: string) => `Since ${when}`,
  none: 'Nothing is set yet',
  change: 'Change it',
  days: 'Days that points wait after a sale',
  daysHint:
    'For as long as customers may return what they bought, up to 90 days. 0: points can be used ' +
    'at once. Sales made before keep what held then.',
  daysProblem: 'Write a whole number from 0 to 90.',
  timeZone: 'Time zone of the shop',
  timeZoneHint: 'It stays, because months are counted by it.',
  publish: 'Publish',
  published: 'It is published.',
} as const;
