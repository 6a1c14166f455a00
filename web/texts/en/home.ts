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
    cost: (amount: string, earned: string) => `worth ${amount} · ${earned} earned`,
    owed: 'Owed in points',
    outstanding: (points: string) =>
      `${points === '1' ? '1 point' : `${points} points`} can still be used`,
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
      trouble: 'Trouble',
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
    troubleWhat: 'Not everything could be read from it. We try again by ourselves.',
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
} as const;
