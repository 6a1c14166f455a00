/** What the till says. */
export const tillTexts = {
  title: 'Till',
  lead: 'Take the codes of your customers.',
  pages: { take: 'Take a code', today: 'Today' },
  shop: 'Shop',
  suspended: 'This shop is suspended. No code can be taken; their points come back by themselves.',
  offline: 'No connection. No code can be taken until it is back.',
  code: {
    label: 'Code',
    placeholder: 'Scan it, or type it',
    incomplete: 'A code has twelve characters, 0 to 9 and A to F.',
  },
  ready: {
    title: 'Ready for the next code',
    how: 'Use a hand scanner, type the code, or turn on the camera.',
  },
  camera: {
    on: 'Turn on the camera',
    off: 'Turn off',
    aim: 'Hold the code in front of the camera.',
    starting: 'Starting the camera…',
    foreign: 'That is not a code for this till.',
    none: 'There is no camera here. Type the code instead.',
    refused: 'The camera may not be used. Allow it in the browser, or type the code.',
    broken: 'The scanner could not be loaded. Type the code instead.',
    picture: 'What the camera sees',
  },
  member: {
    open: 'Points for a receipt',
    title: 'Points for a receipt',
    ask: 'The customer shows the member card: scan it, or type its number.',
    number: 'Member number',
    look: 'Find the customer',
    unknown: 'No customer has this member number. Check it with the customer.',
    who: (initials: string, number: string) => `Customer ${initials}, ${number}`,
    receipt: 'Take amount and time from the receipt in the customer’s hand.',
    amount: (currency: string) => `Amount without tip${currency === '' ? '' : ` (${currency})`}`,
    time: 'Time',
    noAmount: 'Write an amount as on the receipt, such as 12.50.',
    find: 'Find the sale',
    none:
      'No sale of that amount and time is without a customer. Check both; a sale that was just ' +
      'made takes a moment to come.',
    found: 'Sales found',
    sale: (time: string, receipt: string) => `at ${time}, payment …${receipt}`,
    refunded: (amount: string) => `${amount} refunded`,
    give: 'Give the points',
    done: (initials: string) => `for customer ${initials}`,
    nothing: 'This sale earns nothing: its explanation in the customer’s app says why.',
  },
  found: {
    worth: 'off',
    of: (initials: string) => `Customer: ${initials}`,
    until: (time: string) => `Can be taken until ${time}.`,
    take: (amount: string) => `Take ${amount} off`,
    handOut: (item: string) => `Hand out: ${item}`,
    another: 'Not now',
  },
  state: {
    used: (when: string) => `This code was used ${when}.`,
    usedBy: (when: string, who: string) => `This code was used ${when}, by ${who}.`,
    expired: 'This code has expired. Its points may be back: the customer can get another one.',
    cancelled: 'This code was cancelled. Its points are back.',
    unknown: 'There is no such code in this shop. Check it with the customer.',
    elsewhere: 'Nothing is to be taken off.',
  },
  trouble: {
    panel: 'This code',
    looking: 'Looking it up…',
    failed: 'The code was not looked up.',
    unsure: (amount: string) =>
      `It is not known yet whether the code was taken. Try again before you take ${amount} off: ` +
      'it is taken once in any case.',
    unsureOfItem: (item: string) =>
      'It is not known yet whether the code was taken. Try again before you hand out ' +
      `“${item}”: it is taken once in any case.`,
    waiting: (code: string) => `Next: ${code}`,
    leave: 'Leave it',
  },
  done: {
    take: (amount: string) => `Take ${amount} off the price.`,
    handOut: (item: string) => `Hand out “${item}”, and take nothing off.`,
    next: 'Next code',
  },
  today: {
    title: 'Today',
    list: 'Codes taken today',
    recent: 'Last taken',
    all: 'All of today',
    day: 'End of day',
    empty: 'Nothing was taken today.',
    sum: (amount: string, count: string) => `${amount} off with ${count}`,
    codes: (count: number) => (count === 1 ? '1 code' : `${count} codes`),
    of: (customer: string, who: string) => `Customer ${customer} · taken by ${who}`,
    somebody: 'a colleague',
  },
  lock: {
    lock: 'Lock the till',
    title: 'The till is locked',
    of: (name: string) => `${name} is signed in.`,
    pin: 'PIN',
    clear: 'Clear',
    first: 'Unlock the till first.',
    wrong: (left: number) =>
      left === 0
        ? 'That was the fifth wrong PIN: you are signed out.'
        : `That is not the PIN. ${left === 1 ? 'One try is' : `${left} tries are`} left.`,
    signOut: 'Forgotten? Sign out',
  },
  settings: {
    title: 'This till',
    sound: 'Sound for each code',
    lock: 'Lock',
    noPin: 'With a PIN the till can be locked, and locks itself when no one uses it.',
    hasPin: (time: string) => `The till locks itself after ${time}. Signing out removes the PIN.`,
    needsTls: 'A PIN can be set where the till is opened by https.',
    minutes: (count: number) => (count === 1 ? '1 minute' : `${count} minutes`),
    setPin: 'Set a PIN',
    changePin: 'Change the PIN',
    removePin: 'Remove the PIN',
    newPin: 'New PIN',
    pinHint: 'Four digits. It opens this till on this device, and nothing else.',
    again: 'The same again',
    after: 'Lock after',
    savePin: 'Save',
    tooShort: 'A PIN has four digits.',
    differs: 'The two are not the same.',
  },
  leave: {
    open: 'Leave this shop',
    title: (shop: string) => `Your work at ${shop}`,
    what: (shop: string) =>
      `You can take no more codes for ${shop}. To come back, you have to be invited again.`,
    submit: 'Leave',
    stay: 'Stay',
  },
  joined: {
    line: (shop: string) => `You can work at ${shop} now.`,
    change: 'Change to it',
  },
  invite: {
    title: 'You are invited',
    lead:
      'A shop asks you to work at its till. Sign in with the e-mail address to which the invite ' +
      'was sent. If you are new here, signing in accepts it.',
    from: (shop: string) => `${shop} invites you to work at its till.`,
    means:
      'If you accept, you can take the codes of its customers. The shop sees your name and ' +
      'your e-mail address, your colleagues your name. Your own points stay as they are.',
    accept: 'Accept',
    decline: 'Decline',
    accepted: (shop: string) => `You work for ${shop} now.`,
    toTill: 'To the till',
    toPoints: 'To your points',
    over: {
      accepted: (shop: string) =>
        `You do not work for ${shop} any more. To come back, ask for another invite.`,
      declined: (shop: string) =>
        `You have declined, and nothing has changed. If you think again, ask ${shop} for another ` +
        'invite.',
      withdrawn: (shop: string) => `${shop} has withdrawn this invite.`,
      lapsed: (shop: string) =>
        `This invite has expired: it is older than 30 days. Ask ${shop} for another one.`,
    },
    none:
      'This invite is not for the address with which you are signed in. Sign in with the one to ' +
      'which it was sent.',
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    open: 'You are invited',
    count: (count: number) => (count === 1 ? '1 invite' : `${count} invites`),
    of: (shop: string) => `${shop} invites you to its till`,
  },
} as const;
