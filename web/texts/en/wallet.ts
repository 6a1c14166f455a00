import type { Schema } from '../../shared/client.tsx';

/** What the wallet says. */
export const walletTexts = {
  title: 'My points',
  lead: 'Your points in all shops, what they are worth, and codes for them.',
  pages: { wallets: 'Points', codes: 'Codes' },
  join: {
    gate: 'Collect points',
    gateLead: 'Sign in, and your points at this shop are waiting for you.',
    title: (shop: string) => `Collect points at ${shop}`,
    how:
      'From then on, what you buy there earns points: say your e-mail address or phone number at ' +
      'the till.',
    submit: 'Join',
    member: (shop: string) => `You collect points at ${shop}`,
    look: 'See them',
  },
  card: {
    open: 'Your member card',
    openHow: 'Show it at the till when you gave no e-mail address or phone number.',
    back: 'Your points',
    title: 'Member card',
    number: 'Your member number',
    how: 'Show this at the till, with your receipt: staff add the points of what you bought.',
    qr: (number: string) => `QR code of member number ${number}`,
    replace: 'Get another number',
    replaceTitle: 'Another member number?',
    replaceWhat: 'The number of now is of no use from then on. Your points stay as they are.',
  },
  live: 'Live',
  asOf: (time: string) => `No connection. This is how it was at ${time}.`,
  contacts: {
    looking: 'Looking for your earlier purchases. What they earned appears here by itself.',
    emailTitle: 'Confirm your e-mail address',
    email: (address: string) =>
      `Purchases with ${address} earn no points until it is confirmed. Open the link in the mail ` +
      'that you got when you signed up, then sign in again.',
    phoneTitle: 'Confirm your phone number',
    phone: (phone: string) =>
      `Purchases with ${phone} earn no points until it is confirmed where you signed up. Then ` +
      'sign in again.',
    done: 'I have confirmed it',
    noPhoneTitle: 'Earn with your phone number, too',
    noPhone:
      'Some shops know you by your phone number only. Add it where you signed up, and sign in ' +
      'again: then what you buy with it earns points as well.',
    notNow: 'Not now',
  },
  install: {
    title: 'Add it to your phone',
    what: 'Your points and your member card open from the home screen, like any other app.',
    steps: 'Tap Share in your browser, then “Add to Home Screen”: it opens like any other app.',
    submit: 'Add it',
    no: 'No, thanks',
  },
  ownData: {
    title: 'Your data',
    what:
      'What is kept about you, in one file: your points and why you have them, your codes ' +
      'and your purchases. You can have it three times a day.',
    download: 'Download my data',
    name: 'my-points.json',
    erase: 'Erase my account',
  },
  erasing: {
    when: (moment: string) => `Your account will be erased on ${moment}.`,
    what: 'Your name and addresses, your points and your codes go with it, at all shops.',
    keep: 'Keep my account',
    kept: 'Your account stays, with all your points.',
  },
  wallets: {
    list: 'Your shops',
    empty: 'No points yet',
    emptyHow: (contacts: readonly string[]) =>
      contacts.length === 0
        ? 'Purchases earn points once your e-mail address or phone number is confirmed.'
        : `Pay in a shop that takes part, and give ${contacts.join(' or ')}: your points appear ` +
          'here by themselves.',
    worth: (amount: string) => `worth ${amount}`,
    ready: (amount: string) => `Up to ${amount} off now`,
    toGo: (points: string) => `${points} to go`,
    frozen: 'Frozen',
    waiting: (points: string) => `${points} of them wait`,
  },
  open: {
    title: 'Codes that you can use now',
    until: (time: string) => `until ${time}`,
  },
  invites: {
    title: 'Invites',
    from: (shop: string) => `${shop} invites you to work at its till`,
  },
  rewards: {
    title: 'Rewards',
    short: 'Get',
    get: (name: string) => `Get ${name}`,
    getFor: (points: string) => `Get it for ${points}`,
    life: 'You get a code for 15 minutes. Show it at the till.',
    left: (count: string) => `${count} left`,
    soldOut: 'Sold out for now',
    open: 'You have a code for it.',
    toGo: (points: string) => `${points} to go`,
  },
  tier: {
    title: 'Your tier',
    none: 'Tiers',
    brings: (times: string) => `${times} times the points`,
    until: (day: string) => `Yours until ${day}`,
    reached: (name: string) => `You have reached ${name}. It begins within a day.`,
    toGo: (amount: string, name: string) => `${amount} more for ${name}`,
    nextBrings: (name: string, times: string) => `${name} brings ${times} times the points.`,
    counts: (days: number) =>
      `What you buy counts after ${days === 14 ? 'two weeks' : `${days} days`}, for a year.`,
  },
  offers: { title: 'Offers', until: (day: string) => `Until ${day}` },
  wallet: {
    back: 'Points',
    redeem: 'Redeem',
    frozen: 'This wallet is frozen: nothing can be redeemed. Ask the shop why.',
    owed: (points: string) =>
      `Your next points first replace ${points === '1' ? '1 point' : `${points} points`} of a ` +
      'purchase that was refunded after you had used them.',
    waiting: (points: string, from: string) =>
      `${points} wait until their purchases can no longer be returned. The first can be used ` +
      `from ${from} on.`,
    toSpend: (amount: string) => `About ${amount} of purchases until you can redeem.`,
    notNow: 'Nothing more can be redeemed today. Try again tomorrow.',
    noConnection: 'Redeeming needs a connection.',
  },
  visits: {
    title: 'History',
    filter: 'What is shown',
    filters: { all: 'All', payment: 'Earned', redemption: 'Used' },
    empty: {
      all: 'Nothing has happened here yet.',
      payment: 'No purchases yet.',
      redemption: 'You have used no points here yet.',
    },
    notKept: 'This is not kept on the phone',
    notKeptWhy:
      'It comes back with the connection. Without one, only your shops and points are here.',
    why: 'Why?',
    whyOf: (what: string, when: string) => `Why? ${what}, ${when}`,
    balance: (points: string) => `After it you had ${points}.`,
    bought: (day: string) => `bought on ${day}`,
    off: (amount: string) => `${amount} off`,
    refunded: (amount: string) => `${amount} of it was paid back.`,
    refundedWhole: 'It was paid back.',
    reasons: {
      purchase: 'Purchase',
      redemption: 'Code',
      redemption_expired: 'Unused code: points back',
      payment_refunded: 'Refund',
      admin_adjustment: 'Correction',
      points_expired: 'Expired',
    } satisfies Record<Schema['LedgerEntry']['reason'], string>,
  },
  redeem: {
    title: 'Redeem points',
    slider: 'Points to redeem',
    presets: 'Amounts to choose',
    all: (amount: string) => `All: ${amount}`,
    fewer: 'Fewer points',
    more: 'More points',
    off: (amount: string) => `${amount} off`,
    left: (points: number, shown: string) => (points === 0 ? 'all of them' : `${shown} are left`),
    submit: 'Get the code',
    life: 'The code can be used for 15 minutes. Get it when you are at the till.',
  },
  codes: {
    title: 'Codes',
    list: 'Your codes',
    empty: 'No codes yet',
    emptyHow: 'A code turns points into a discount. Get one when you are at the till.',
    toPoints: 'To your points',
    status: { issued: 'Can be used', used: 'Used', expired: 'Expired', cancelled: 'Cancelled' },
  },
  code: {
    back: 'Codes',
    title: (amount: string) => `${amount} off`,
    at: (shop: string) => `at ${shop}`,
    show: 'Show this at the till',
    qr: (code: string) => `QR code of ${code}`,
    enlarge: 'Show the QR code on the whole screen',
    copy: 'Copy the code',
    copied: 'Copied',
    left: (minutes: number, seconds: string) => `${minutes}:${seconds} left`,
    saved: (amount: string, shop: string) => `${amount} off at ${shop}`,
    got: (item: string, shop: string) => `${item}, from ${shop}`,
    used: (when: string) => `Used ${when}.`,
    expired: 'This code has expired.',
    cancelled: 'This code was cancelled.',
    pointsBack: (points: string) => `Its ${points} are back in your wallet.`,
    nowHave: (points: string, amount: string) => `You have ${points}, worth ${amount}.`,
    another: 'Get another code',
    toWallet: 'To your points',
    cancel: 'Cancel the code',
    cancelTitle: 'Cancel this code?',
    cancelWhat: (points: string) =>
      `It can no longer be used, and its ${points} come back to your wallet.`,
    keep: 'Keep it',
  },
} as const;
