/** What the till says. */
export const tillTexts = {
  title: 'Till',
  lead: 'Take the codes of your customers.',
  pages: { take: 'Take a code', today: 'Today' },
  shop: 'Shop',
  suspended: 'This shop is suspended. No code can be taken; their points come back by themselves.',
  code: {
    label: 'Code',
    hint: 'Twelve characters, as the customer reads them out.',
    incomplete: 'A code has twelve characters.',
    unknown: 'There is no such code in this shop. Check it with the customer.',
    look: 'Look up',
    scan: 'Scan with the camera',
  },
  camera: {
    title: 'Scan a code',
    aim: 'Hold the code in front of the camera.',
    starting: 'Starting the camera…',
    none: 'There is no camera here. Type the code instead.',
    refused: 'The camera may not be used. Allow it in the browser, or type the code.',
    broken: 'The scanner could not be loaded. Type the code instead.',
    picture: 'What the camera sees',
  },
  found: {
    title: 'A code',
    worth: 'off',
    of: (initials: string) => `Customer: ${initials}`,
    until: (time: string) => `Can be taken until ${time}.`,
    take: (amount: string) => `Take ${amount} off`,
    another: 'Another code',
  },
  state: {
    used: (when: string) => `This code was used ${when}.`,
    usedBy: (when: string, who: string) => `This code was used ${when}, by ${who}.`,
    expired: 'This code has run out. Its points may be back: the customer can get another one.',
    cancelled: 'This code was cancelled. Its points are back.',
    elsewhere: 'Nothing is to be taken off.',
  },
  done: {
    title: 'Taken',
    take: (amount: string) => `Take ${amount} off the price.`,
    next: 'Next code',
  },
  today: {
    title: 'Today',
    list: 'Codes taken today',
    empty: 'Nothing was taken today.',
    sum: (amount: string, count: string) => `${amount} off with ${count}`,
    codes: (count: number) => (count === 1 ? '1 code' : `${count} codes`),
    by: (who: string) => `taken by ${who}`,
    somebody: 'somebody',
  },
  leave: {
    open: 'Leave this shop',
    title: 'Leave this shop?',
    what: (shop: string) =>
      `You can take no more codes for ${shop}. To come back, you have to be invited again.`,
    submit: 'Leave',
  },
  invite: {
    title: 'You are invited',
    from: (shop: string) => `${shop} invites you to work at its till.`,
    means:
      'If you accept, you can take the codes of its customers. The shop sees your e-mail ' +
      'address. Your own points stay as they are.',
    accept: 'Accept',
    decline: 'Decline',
    accepted: (shop: string) => `You work for ${shop} now.`,
    toTill: 'To the till',
    declined: 'You have declined. Nothing has changed.',
    none:
      'This invite is not for the address with which you are signed in, or it is over: accepted, ' +
      'declined, withdrawn, or older than 30 days.',
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    others: 'Other invites',
    open: (shop: string) => `Invite of ${shop}`,
  },
} as const;
