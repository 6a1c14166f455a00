import type { Schema } from '../shared/client.tsx';

/** What the wallet says. */
export const walletTexts = {
  title: 'My points',
  lead: 'Your points in all shops, what they are worth, and codes for them.',
  pages: { wallets: 'Points', codes: 'Codes' },
  live: 'Live',
  asOf: (time: string) => `No connection. This is how it was at ${time}.`,
  wallets: {
    list: 'Your shops',
    empty: 'You have no points yet. Pay in a shop with this e-mail address or phone number.',
    worth: (amount: string) => `worth ${amount}`,
    frozen: 'Frozen',
  },
  open: {
    title: 'Codes that you can use now',
    show: 'Show the code',
    until: (time: string) => `until ${time}`,
    off: (amount: string) => `${amount} off`,
  },
  invites: {
    title: 'Invites',
    from: (shop: string) => `${shop} invites you to work at its till`,
  },
  wallet: {
    back: 'Points',
    redeem: 'Redeem',
    frozen: 'This wallet is frozen: nothing can be redeemed. The shop or its service can tell why.',
    owed: (points: string) =>
      `${points} points will be taken from what you earn next: a purchase was refunded after its ` +
      'points were used.',
    nothing: 'There is nothing to redeem yet.',
    noConnection: 'Redeeming needs a connection.',
    min: (points: string) => `You can redeem from ${points} points on.`,
    history: 'History',
    historyEmpty: 'Nothing has happened here yet.',
    why: 'Why?',
    whyOf: (what: string, when: string) => `Why? ${what}, ${when}`,
    balance: (points: string) => `${points} after it`,
    reasons: {
      purchase: 'Purchase',
      redemption: 'Redeemed for a code',
      redemption_expired: 'Unused code: points back',
      payment_refunded: 'Purchase refunded',
      admin_adjustment: 'Corrected by the service',
    } satisfies Record<Schema['LedgerEntry']['reason'], string>,
  },
  redeem: {
    title: 'Redeem points',
    slider: 'Points to redeem',
    fewer: 'Fewer points',
    more: 'More points',
    gives: 'takes off',
    left: (points: string) => `${points} points are left`,
    submit: 'Get the code',
    life: 'The code can be used for 15 minutes. Get it when you are at the till.',
  },
  codes: {
    title: 'Codes',
    list: 'Your codes',
    empty: 'You have had no codes yet.',
    status: { issued: 'Can be used', used: 'Used', expired: 'Run out', cancelled: 'Cancelled' },
  },
  code: {
    back: 'Codes',
    title: (amount: string) => `${amount} off`,
    at: (shop: string) => `at ${shop}`,
    show: 'Show this at the till',
    qr: (code: string) => `QR code of ${code}`,
    copy: 'Copy the code',
    copied: 'Copied',
    left: (minutes: number, seconds: string) => `${minutes}:${seconds} left`,
    over: 'Its time is over.',
    used: (when: string) => `Used ${when}.`,
    expired: 'This code has run out.',
    cancelled: 'This code was cancelled.',
    pointsBack: (points: string) => `Its ${points} are back in your wallet.`,
    cancel: 'Cancel the code',
    cancelTitle: 'Cancel this code?',
    cancelWhat: (points: string) =>
      `It can no longer be used, and its ${points} come back to your wallet.`,
    keep: 'Keep it',
  },
} as const;

const WORD = /\B(?=(?:.{4})+$)/g;

/** A code as people read it out: in groups of four. */
export function grouped(code: string): string {
  return code.replace(WORD, ' ');
}
