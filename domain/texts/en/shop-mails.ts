type Shop = { shop: string };
/** As people call it. */
type Provider = { provider: string };
type Count = { count: number };
/** Includes the word. */
type Points = { points: string };

/** `customers` includes the word. */
type Customers = Count & { customers: string };

/** What changed; empty where it is about something else. */
type Changed = Record<
  | 'person'
  | 'account'
  | 'provider'
  | 'url'
  | 'unit'
  | 'points'
  | 'currencyBefore'
  | 'currency'
  | 'zoneBefore'
  | 'zone',
  string
>;

/**
 * What mails say to merchants, staff and administrators. Names, numbers and times come in as they
 * are to be shown.
 */
export const shopMails = {
  invite: {
    unnamed: 'a shop',
    subject: ({ shop }: Shop) => `You are invited to work at ${shop}`,
    invited: ({ shop }: Shop) =>
      `You are invited to redeem customers' points at the till of this shop: ${shop}`,
    decide:
      'To accept or decline, sign in with the e-mail address that this mail was sent to. If you ' +
      'have an account already, nothing changes unless you accept.',
    link: 'Accept or decline',
    newcomers:
      'If you are new, your first sign-in with this address accepts the invite, unless several ' +
      'shops have invited you.',
    lapses: 'The invite lapses after 30 days. If you did not expect it, you need not do anything.',
  },

  change: {
    /** The subjects, before the name of the shop. */
    titles: {
      'operator.accept': 'New staff',
      'rule.publish': 'New rule',
      'endpoint.create': 'New webhook address',
      'endpoint.update': 'Webhook address changed',
      'endpoint.rotate': 'New webhook secret',
      'tenant.set_currency': 'Currency corrected',
      'tenant.set_time_zone': 'Time zone corrected',
    },
    connectedTitle: ({ provider }: Provider) => `${provider} connected`,
    lostTitle: ({ provider }: Provider) => `Sales at ${provider} earn no points`,
    stillLostTitle: ({ provider }: Provider) => `Sales at ${provider} still earn no points`,
    otherTitle: 'Something changed in your shop',
    adminSubject: 'There is a new administrator',
    administrators: 'Administrators',
    what: {
      'operator.accept': ({ person }: Changed) => `${person} now works at the till.`,
      'rule.publish': ({ unit, points }: Changed) =>
        unit === ''
          ? 'A new rule for points was published.'
          : `A new rule for points was published. By it, each ${unit} of a sale earns ${points}.`,
      'endpoint.create': ({ url }: Changed) =>
        `The events of the shop are now sent to one more address: ${url}`,
      'endpoint.update': ({ url }: Changed) =>
        `An address to which the events of the shop are sent is another one now: ${url}`,
      'endpoint.rotate': ({ url }: Changed) =>
        `This address, to which the events of the shop are sent, has a new secret: ${url}`,
      'tenant.set_currency': ({ currencyBefore, currency }: Changed) =>
        `The currency was corrected: it was ${currencyBefore}, and is ${currency} now.`,
      'tenant.set_time_zone': ({ zoneBefore, zone }: Changed) =>
        `The time zone was corrected: it was ${zoneBefore}, and is ${zone} now.`,
      'connection.connect': ({ account, provider }: Changed) =>
        `The account ${account} at ${provider} was connected. Its sales can earn points now, and ` +
        'are shown to the people who run the shop.',
      'connection.lost': ({ account, provider }: Changed) =>
        `The account ${account} at ${provider} no longer lets us in: its sales earn no points ` +
        'until you connect it again. They are not lost if you do so soon.',
      'user.role': ({ person }: Changed) => `${person} is an administrator now.`,
      'user.grant_admin': ({ person }: Changed) => `${person} is an administrator now.`,
      'user.bootstrap': ({ person }: Changed) => `${person} is an administrator now.`,
    },
    stillLost: ({ account, provider }: Changed) =>
      `The account ${account} at ${provider} has not let us in for a day: its sales earn no ` +
      'points until you connect it again. Do so soon, so that none of them is lost.',
    other: (_: Changed) => 'The list of what was done says more.',
    somebody: 'somebody who works for the service',
    operators: 'those who run the service',
    none: 'not known',
    by: ({ who, at }: { who: string; at: string }) => `It was done by ${who}, on ${at}.`,
    noticed: ({ at }: { at: string }) => `We noticed it on ${at}.`,
    stranger:
      'You did not expect this? Then somebody else may be signed in as you, or as somebody who ' +
      'works for you: undo it, change your password, and ask for help.',
    adminStranger:
      'You did not expect this? Then ask whoever did it, and suspend the account until you know.',
    link: 'See the connected accounts',
  },

  approval: {
    subject: ({ shop }: Shop) => `${shop} can begin`,
    approved: ({ shop }: Shop) => `Your application for ${shop} was approved: you can sign in.`,
    next:
      'Connect your point of sale first, then say what customers get. From then on each sale ' +
      'earns points.',
    link: 'Set up my shop',
  },

  endpoint: {
    subject: ({ shop }: Shop) => `Webhooks of ${shop} are no longer sent`,
    disabled: ({ shop, url, days }: Shop & { url: string; days: number }) =>
      `The events of ${shop} were sent to ${url}. For ${days} days that address took none of ` +
      'them, so nothing is sent there any more.',
    again:
      'When it answers again, make the endpoint active. It then gets what has happened ' +
      'meanwhile, as far as that is not older than 30 days.',
  },

  gap: {
    subject: ({ shop, provider }: Shop & Provider) => `Sales at ${provider} do not arrive: ${shop}`,
    found: ({ sales, count, provider, at }: Record<'sales' | 'provider' | 'at', string> & Count) =>
      `Since ${at} ${provider} has told us of no sale of yours, but lists ${sales}. ` +
      `${count === 1 ? 'Its customer waits' : 'Their customers wait'} for points.`,
    look:
      'In your portal you see each day, and can bring in what is missing. Then look whether the ' +
      'point of sale is online. If it is, disconnect the account and connect it again.',
    link: 'See the connected accounts',
  },

  import: {
    subject: ({ shop }: Shop) => `Your members were brought over: ${shop}`,
    revertedSubject: ({ shop }: Shop) => `Your import was undone: ${shop}`,
    matched: ({ customers, count }: Customers) =>
      `${customers} ${count === 1 ? 'has' : 'have'} the points of your file now.`,
    waiting: ({ customers, count }: Customers) =>
      `${customers} ${count === 1 ? 'has' : 'have'} not signed up yet. Their points wait: for a ` +
      'year where you gave an e-mail address, for 90 days where you gave a phone number.',
    repeated: ({ customers, count }: Customers) =>
      `${customers} ${count === 1 ? 'was' : 'were'} in your file more than once, or had been ` +
      'brought over before: only the first time counts.',
    reverted:
      'The points of your file were taken back from your customers. You can upload it again.',
    notTaken: ({ points }: { points: string }) => `Used already, and so not taken back: ${points}.`,
    link: 'See the imports',
  },

  goodwill: {
    grantedSubject: ({ shop, points }: Shop & Points) => `${points} granted: ${shop}`,
    granted: ({ points }: Points) =>
      `You asked for ${points} for a customer, for goodwill. ` +
      'This was granted, and added to the customer’s wallet.',
    declinedSubject: ({ shop, points }: Shop & Points) => `${points} not granted: ${shop}`,
    declined: ({ points }: Points) =>
      `You asked for ${points} for a customer, for goodwill. This was declined.`,
    because: ({ answer }: { answer: string }) => `The reason: ${answer}`,
    link: 'See what you asked for',
  },

  unusual: {
    subject: ({ shop }: Shop) => `Unusual movements of points at ${shop}`,
    found: ({ shop, count, customers, usual }: Shop & Customers & { usual: number }) =>
      `At ${shop} ${count === 1 ? 'a customer' : customers} had more than ${usual} ` +
      'sales and codes within 24 hours.',
    look:
      'They are listed under Customers in your portal, as unusual. There may be a good reason; ' +
      'or sales are returned after their points were used, or are rung up for the wrong person.',
  },
};
