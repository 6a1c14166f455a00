type Shop = { shop: string };
/** `points` includes the word. */
type Points = Shop & { points: string };
type Count = { count: number };
type Waiting = Count & { written: string };
type Provider = { provider: string };
/** `amount` is null without a currency; `given`, `used` and `outstanding` are points. */
type Week = Shop &
  Count & { sales: string; amount: string | null; percent: number } & Record<
    'from' | 'to' | 'given' | 'used' | 'outstanding',
    string
  >;

/** The words of mails and messages that people get without having asked for them then. */
export const noticeMails = {
  choose: 'Choose what we write about',

  points: {
    subject: ({ shop, points }: Points) => `You got ${points} at ${shop}`,
    firstCame: ({ shop, points }: Points) =>
      `You got ${points} at ${shop}, the first of yours there. Your wallet shows what you have, ` +
      'and what it is worth.',
    broughtOver: ({ shop, points }: Points) =>
      `${shop} has brought over what you had collected there before. You got ${points}. Your ` +
      'wallet shows what you have there now, and what it is worth.',
    came: ({ shop, points }: Points) =>
      `You got ${points} at ${shop}. Your wallet shows what you have there now.`,
    onlyFirst: 'We write about the first points at a shop only, unless you want it each time.',
    link: 'See your points',
    stop: 'No more mails about points',
  },

  push: {
    points: ({ shop, points }: Points) => `You got ${points} at ${shop}`,
    used: ({ shop }: Shop) => `A code of yours was used at ${shop}`,
  },

  waiting: {
    heading: 'Administrators',
    subject: ({ count, written }: Waiting) =>
      count === 1 ? 'A merchant waits for approval' : `${written} merchants wait for approval`,
    wait: ({ count, written }: Waiting) =>
      `${count === 1 ? 'A merchant has' : `${written} merchants have`} applied, and can do ` +
      'nothing until an administrator decides.',
    link: 'Look at who waits',
    askSubject: ({ count, written }: Waiting) =>
      count === 1 ? 'A shop asks for points' : `Shops ask for points ${written} times`,
    ask: ({ count, written }: Waiting) =>
      `${count === 1 ? 'A shop has' : 'Shops have'} asked for points for ` +
      `${count === 1 ? 'a customer' : `${written} customers`}, for goodwill. No points come ` +
      'until an administrator grants them.',
    askLink: 'Grant or decline',
    bothSubject: 'Applications, and points for goodwill, wait for you',
    stop: 'No more mails about who waits',
  },

  week: {
    subject: ({ shop }: Shop) => `Your week at ${shop}`,
    sold: ({ from, to, count, sales, amount }: Week) =>
      `From ${from} to ${to} you had ${count === 0 ? 'no sales' : sales}` +
      `${amount === null || count === 0 ? '' : `, of ${amount}`}.`,
    known: ({ percent }: Week) => `Of known customers: ${percent}%. Only these collect points.`,
    points: ({ given, used }: Week) => `Points given: ${given}. Points used: ${used}.`,
    owed: ({ outstanding }: Week) => `Your customers can still use ${outstanding}.`,
    lost: ({ provider }: Provider) =>
      `Sales at ${provider} earn no points: it no longer lets us in. Connect the account again.`,
    silent: ({ provider }: Provider) =>
      `Sales at ${provider} do not arrive. Look at its days in your portal.`,
    endpointsOff: ({ count }: Count) =>
      `${count === 1 ? 'An address gets' : `${count} addresses get`} no webhooks any more. Your ` +
      'portal says why.',
    link: 'Open your portal',
    stop: 'No more weekly mails',
  },
};
