/** What the portal says of what a shop promises beyond its rule. */
export const programmeTexts = {
  lead:
    'What holds beside the rule: when customers can use points, until when, whether staff give ' +
    'points for a receipt, and which tiers customers can reach.',
  now: 'Now',
  earlier: 'Earlier',
  window: (days: number) =>
    days === 0
      ? 'Points can be used at once'
      : `Points wait ${days} ${days === 1 ? 'day' : 'days'} after a sale`,
  validity: (months: number | null) =>
    months === null
      ? 'They never expire'
      : `They expire ${months} ${months === 1 ? 'month' : 'months'} after the month of the sale`,
  tillAttach: (isOn: boolean) =>
    isOn
      ? 'Staff give the points of a receipt to whoever shows a member card'
      : 'Staff give no points for receipts',
  since: (when: string) => `Since ${when}`,
  none: 'Nothing is set yet',
  change: 'Change it',
  days: 'Days that points wait after a sale',
  daysHint:
    'For as long as customers may return what they bought, up to 90 days. 0: points can be used ' +
    'at once. Sales made before keep what held then.',
  months: 'Months after which points expire',
  monthsHint:
    'Counted from the end of the month in which they were earned, up to 120. Empty: they never ' +
    'expire. A longer time holds for all points, a shorter one only for those earned from next ' +
    'month on; what never expired before gets at least three months.',
  notice: 'Days before, on which customers are told by e-mail',
  noticeHint: 'Before the last day of the month at whose end points expire, from 7 to 60 days.',
  effect: 'What became of points, by month',
  noEffect: 'Nothing was earned or used in the last year.',
  month: 'Month',
  earned: 'Earned',
  used: 'Used',
  expired: 'Expired',
  attach:
    'Staff may give the points of a receipt to a customer who shows a member card. You see under ' +
    'Staff who gave how many.',
  timeZone: 'Time zone of the shop',
  timeZoneHint: 'It stays, because months are counted by it.',
  tiers: {
    title: 'Tiers',
    what:
      'Customers who spend enough within a year get more points for what they buy from then on, ' +
      'and keep their tier for a year. Tiers are given each night, by sales that are two weeks ' +
      'old and whose points wait no more. Where a campaign multiplies points as well, the ' +
      'greater number holds.',
    changes:
      'A tier that you rename stays with its customers; one that you remove is taken from them.',
    needsCurrency:
      'Connect your point of sale first: then the currency is known in which tiers are reached.',
    nth: (nth: number) => `Tier ${nth}`,
    says: (name: string, amount: string, times: string | null) =>
      `${name} from ${amount}: ${times === null ? 'the usual' : `${times} times the`} points`,
    name: 'Name',
    threshold: 'Spent within a year',
    multiplier: 'Times the points',
    add: 'Add a tier',
    remove: (name: string) => `Remove ${name}`,
  },
  wrong: {
    days: 'Write a whole number from 0 to 90.',
    tooLong: (most: number) => `Points that expire so soon may wait for ${most} days at most.`,
    months: 'Write a whole number from 1 to 120, or nothing.',
    notice: 'Write a whole number from 7 to 60.',
    name: 'Write a name of up to 40 letters.',
    threshold: (least: string, most: string) => `Write an amount from ${least} to ${most}.`,
    sameThreshold: 'Another tier is reached with this amount. Write another one.',
    multiplier: 'Write a number from 1 to 10, such as 1.25: at most three decimals.',
    less: 'A tier that is reached with less gives more. Write at least its number.',
  },
  publish: 'Publish',
  published: 'It is published.',
} as const;
