/** What the portal says of the steps of a new shop. */
export const onboardingTexts = {
  title: 'Set up your shop',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  steps: {
    connect: 'Connect your point of sale',
    name: 'Name your shop',
    rule: 'Say what customers get',
    sale: 'Make a test sale',
    team: 'Invite your team',
    poster: 'Hang up your poster',
  },
  /** Why a step is open. */
  why: {
    connect: 'It brings your sales, your country and your currency. Without it nothing is earned.',
    name: 'Customers see the name on their points and in mails.',
    rule: 'Until there is a rule, sales earn no points.',
    sale:
      'Ring up a small one at your point of sale, for someone who has signed in to collect ' +
      'points. It shows here by itself.',
    team: 'No one can take codes at the till yet.',
    poster: 'Customers scan it at the counter to join.',
  },
  connect: 'Connect it',
  name: 'Choose a name',
  callIt: (name: string) => `Call it ${name}`,
  rule: 'Make the rule',
  sale: 'See the sales',
  testSale: 'Ring a test sale',
  team: 'Invite staff',
  poster: 'See the poster',
} as const;
