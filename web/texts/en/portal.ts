import { homeTexts } from './home.ts';

/** What the merchant portal says. */
export const portalTexts = {
  title: 'Merchant portal',
  lead: 'Your shop, its points, and the people who collect them.',
  shop: 'Shop',
  opening: 'Your shop is being opened…',
  none: 'none',
  pages: {
    overview: 'Home',
    transactions: 'Sales',
    consumers: 'Customers',
    codes: 'Codes',
    rules: 'Rules',
    campaigns: 'Campaigns',
    rewards: 'Rewards',
    programme: 'Terms',
    liability: 'Owed by month',
    imports: 'Imports',
    providers: 'Points of sale',
    people: 'Staff',
    webhooks: 'Webhooks',
    history: 'What was done',
    profile: 'Profile',
  },
  groups: { sales: 'Sales', programme: 'Programme', team: 'Team', settings: 'Settings' },
  overview: {
    suspended: [
      'This shop is suspended: no points are earned or redeemed. What is sold meanwhile counts',
      'once it goes on.',
    ].join(' '),
    figures: 'Figures',
    unknown: (count: number, shown: string) =>
      count === 1 ? 'A sale had no known customer.' : `${shown} sales had no known customer.`,
    unknownWhat: [
      'Ask customers to sign up in the wallet, and enter their e-mail address or phone number at',
      'the point of sale: then they are known. Who signs up within 30 days also gets the points of',
      'sales that have this address or number already.',
    ].join(' '),
    seeUnknown: 'See these sales',
  },
  ...homeTexts,
  unknown: '–',
} as const;
