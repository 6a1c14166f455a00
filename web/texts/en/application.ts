/** What the portal says to somebody who asks to become a merchant. */
export const applicationTexts = {
  lead: 'Tell us of your shop. We look at each one before it begins.',
  shopName: 'Name of the shop',
  shopNameHint: 'Customers see it on their points. You can change it later.',
  phone: 'Phone',
  website: 'Website (optional)',
  reason: 'Why would you like to give points?',
  reasonHint: 'A sentence is enough.',
  send: 'Send',
  wrong: {
    phone: 'Write a phone number, such as +1 212 555 0102.',
    website: 'Write an address on the web, such as corner-cafe.com.',
  },
  waiting: 'We look at it',
  opens: 'Once you are approved, this page opens your portal by itself.',
  mailed: (email: string) => `You get a mail as well, to ${email}: you need not wait here.`,
  said: 'What you told us',
  names: { shopName: 'Shop', phone: 'Phone', website: 'Website', reason: 'Why' },
  change: 'Change it',
} as const;
