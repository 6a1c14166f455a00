import type { Schema } from '../../shared/client.tsx';

/** What the portal says of what a customer asks at the counter. */
export const serviceTexts = {
  search: {
    label: 'Find a customer, a sale or a code',
    hint: [
      'A whole e-mail address, phone or member number, a code, an amount such as 12.50, or the ',
      'payment id of your point of sale.',
    ].join(''),
    submit: 'Search',
    clear: 'Show all customers',
    found: 'What was found',
    customers: 'Customers',
    sales: 'Sales',
    codes: 'Codes',
    none: 'Nothing here has exactly that',
    nonePerson:
      'Look at each letter and digit. If it is right, no customer and no sale of yours has it: ' +
      'search for the amount of the sale next.',
    noneSale: 'Sales are found by the amount without a tip, for 90 days.',
    noneOther: 'It was read as no address, number, code or amount.',
    waiting:
      'A sale with an address or number that no customer has confirmed earns its points by ' +
      'itself, as soon as the customer signs in to the wallet and confirms it.',
    anonymous:
      'A sale that named no customer earns its points later: open “Why?”, and enter the member ' +
      'number from the customer’s card.',
  },
  unverified: {
    email:
      'The e-mail address is not confirmed, so sales with it earn nothing yet. Ask the customer ' +
      'to confirm it in the wallet: points come by themselves then.',
    phone:
      'The phone number is not confirmed, so sales with it earn nothing yet. Ask the customer to ' +
      'confirm it in the wallet: points come by themselves then.',
  },
  firstVisit: (day: string) => `first on ${day}`,
  spent: 'Paid in 12 months',
  tier: 'Tier',
  pending: (points: string) => `of which ${points} only after the time for returns`,
  expiring: (points: string, day: string) => `${points} can be used until ${day}`,
  timeline: 'What happened',
  noTimeline: 'No points have moved yet.',
  balance: (points: string) => `then ${points}`,
  sold: (day: string) => `sold on ${day}`,
  off: (amount: string) => `${amount} off`,
  refunded: (amount: string) => `${amount} refunded`,
  reasons: {
    purchase: 'Sale',
    redemption: 'Code',
    redemption_expired: 'Unused code: points back',
    payment_refunded: 'Refund',
    admin_adjustment: 'Correction',
    points_expired: 'Expired',
  } satisfies Record<Schema['LedgerEntry']['reason'], string>,
  resend: {
    column: 'Mail',
    open: 'Send again',
    of: (worth: string) => `Send again: the code of ${worth}`,
    done: 'The mail with the code is on its way.',
  },
  goodwill: {
    title: 'Points for goodwill',
    what:
      'Ask for points, for example after a mistake. They come once we have agreed; we mail you ' +
      'the answer.',
    open: 'Ask for points',
    dialog: 'Ask for points for this customer',
    points: 'Points',
    wrongPoints: 'A whole number from 1 to 100,000.',
    worth: (amount: string) => `worth ${amount}`,
    reason: 'Reason',
    reasonHint: 'For those who answer. No names, addresses or numbers of phones.',
    submit: 'Ask',
    list: 'Points that you asked for',
    when: 'Asked',
    who: 'Customer',
    status: 'Answer',
    statuses: {
      open: 'Waits for an answer',
      granted: 'Granted',
      declined: 'Declined',
      withdrawn: 'Withdrawn',
    } satisfies Record<Schema['GoodwillRequest']['status'], string>,
    askedAt: (points: string, when: string) => `${points}, asked for ${when}`,
    withdraw: 'Withdraw it',
  },
} as const;

/** What the back office says of points that merchants ask for. */
export const officeGoodwillTexts = {
  lead: 'Points that shops ask for. What you grant counts towards your limit of 24 hours.',
  list: 'Requests for points',
  empty: 'No shop waits for an answer',
  emptyText: 'What shops ask for their customers appears here.',
  ask: (shop: string, points: string) => `${shop} asks for ${points}`,
  customer: 'Customer',
  has: (points: string) => `has ${points}`,
  by: (who: string, when: string) => `Asked by ${who}, ${when}`,
  suspended: 'Shop is suspended',
  grant: {
    open: 'Grant',
    of: (shop: string, points: string) => `Grant ${points} for a customer of ${shop}`,
    title: (points: string) => `Add ${points}?`,
    what: (who: string, shop: string) => `${who} gets them at ${shop}, at once.`,
    submit: 'Add them',
    done: 'The points are added.',
  },
  decline: {
    open: 'Decline',
    of: (shop: string, points: string) => `Decline ${points} for a customer of ${shop}`,
    title: 'Decline these points?',
    what: 'The merchant reads your reason. It is not shown to the customer.',
    submit: 'Decline',
    done: 'The request is declined.',
  },
} as const;
