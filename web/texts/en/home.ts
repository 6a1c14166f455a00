/** What the portal says about the points of sale, and about how the shop does. */
export const homeTexts = {
  figures: {
    none: '–',
    sales: 'Sales',
    salesOf: (count: string) => (count === '1' ? '1 sale' : `${count} sales`),
    known: 'With a known customer',
    knownOf: (known: string, all: string) => `${known} of ${all} ${all === '1' ? 'sale' : 'sales'}`,
    returning: 'Customers who came back',
    returningOf: (returning: string, all: string) =>
      `${returning} of ${all} ${all === '1' ? 'customer' : 'customers'}`,
    nobody: 'No customer bought anything yet',
    tooMany: 'Not counted with so many customers',
    average: 'Average customer sale',
    others: (amount: string) => `${amount} without a known customer`,
    noOthers: 'No other sales to compare with',
    used: 'Points used',
    cost: (amount: string, earned: string) => `${amount} off · ${earned} earned`,
    owed: 'Owed in points',
    outstanding: (points: string) => `${points} points can still be used`,
    debts: (points: string) => `${points} to be taken back for refunds`,
    up: (before: string) => `up from ${before}`,
    down: (before: string) => `down from ${before}`,
    same: 'as before',
  },
  chart: {
    by: 'Show',
    kinds: { money: 'Money', points: 'Points' },
    titles: { money: 'Sales over time', points: 'Points over time' },
    series: {
      money: ['Known customers', 'Others'],
      points: ['Earned', 'Used'],
    },
    asTable: 'The same as a table',
    from: 'From',
  },
  top: {
    title: 'Top customers',
    last: (ago: string) => `last visit ${ago}`,
    visits: (count: number, shown: string) => (count === 1 ? '1 visit' : `${shown} visits`),
  },
  health: {
    title: 'How your points of sale are',
    states: {
      good: 'Working',
      trouble: 'Not answering',
      silent: 'Sales missing',
      lost: 'Stopped',
      disconnected: 'Disconnected',
    },
    named: (label: string, account: string) => `${label} (${account})`,
    lost: (name: string, since: string) => `${name} stopped accepting us ${since}.`,
    lostWhat:
      'Its sales earn nothing until you connect it again. Do so soon: those of the last days ' +
      'count then.',
    reconnect: (label: string) => `Reconnect ${label}`,
    troubleWhat:
      'It does not answer at the moment. We try again by ourselves: no sale is lost, its points ' +
      'come later.',
    silent: (name: string, since: string) => `${name} told us of its last sale ${since}.`,
    silentWhat:
      'It lists later ones. See the days to bring in what is missing, and whether your point of ' +
      'sale is online.',
    seeDays: 'See the days',
    lastSale: (ago: string) => `last sale ${ago}`,
    noSale: 'no sale lately',
    nothing: 'No point of sale is connected.',
    connect: 'Connect one',
    today: (count: number, shown: string) =>
      count === 0 ? 'No sale yet today' : count === 1 ? '1 sale today' : `${shown} sales today`,
    usual: (count: string) => `usually ${count} by now`,
    check: 'Check',
  },
  latest: {
    title: 'Latest',
    empty: 'Nothing has happened yet',
    emptyText: 'Sales and codes appear here as they happen.',
    sale: (amount: string) => `Sale of ${amount}`,
    refundedSale: (amount: string) => `Sale of ${amount}, refunded`,
    issued: (worth: string) => `Code for ${worth} off`,
    issuedItem: (item: string) => `Code for ${item}`,
    usedItem: (item: string) => `${item} handed out`,
    used: (worth: string) => `${worth} off at the till`,
    unknown: 'no known customer',
    plus: (points: string) => `+${points}`,
  },
  providers: {
    list: 'Points of sale',
    connect: (provider: string) => `Connect ${provider}`,
    leaving: 'To connect one you are sent to it, to sign in and allow it there.',
    never: (provider: string) => `Connect ${provider}, and what you sell there earns points.`,
    connected: (provider: string) => `${provider} is connected.`,
    goOn: 'Go on',
    isAccount: (provider: string, account: string) => `${provider} is connected: ${account}.`,
    lost: (since: string) => `It has not let us in since ${since}: its sales earn nothing.`,
    account: 'Account',
    unread: 'not known yet',
    lastSale: 'Last sale',
    noSale: 'none lately',
    disconnect: 'Disconnect',
    disconnectThis: (provider: string) => `Disconnect ${provider}`,
    disconnectTitle: (name: string) => `Disconnect ${name}?`,
    disconnectWhat: (provider: string) => `Sales at ${provider} earn no more points.`,
    goesOn: (other: string) => `Sales at ${other} go on earning.`,
    noOther: 'No other point of sale is connected.',
    stays:
      'Points that were earned stay, and codes can still be used. You can connect it again at ' +
      'any time.',
    failed: (label: string | undefined, at: string) =>
      `${label ?? 'It'} was not connected, at ${at}.`,
    otherCurrency: {
      what: (label: string, account: string, shop: string) =>
        `Your account at ${label} sells in ${account}, and your shop in ${shop}. Points are ` +
        'worth money of one currency, so the two do not go together.',
      account: (label: string, shop: string) =>
        `If you have another account that sells in ${shop}: sign out at ${label} first, or it ` +
        'answers with the same account again. Then connect it.',
      shop: (account: string) =>
        `If your shop sells in ${account}: we can change that. Ask support, and name your shop.`,
      another: 'another currency',
    },
    errors: {
      access_denied: 'You did not allow it at the point of sale.',
      invalid_state:
        'This way back from the point of sale does not belong to this browser. Start again.',
      expired_state: 'It took more than ten minutes. Start again.',
      exchange_failed: 'The point of sale did not answer as it should. Try again in a few minutes.',
      merchant_mismatch: 'It is another account than the one that was connected before.',
      merchant_taken: 'This account is connected to another shop.',
      currency_mismatch: 'This account has another currency than your shop.',
      not_allowed: 'You may not connect it any more.',
    } satisfies Record<string, string>,
  },
} as const;
