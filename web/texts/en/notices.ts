/** What people read where they choose what they are told of. */
export const noticeTexts = {
  points: {
    title: 'Mails about points',
    what: 'When points come, we can write to you. Codes are always mailed.',
    options: { first: 'First at a shop', each: 'Each time', never: 'Never' },
  },
  phone: {
    offer: 'Get a message on this phone when points come',
    notNow: 'Not now',
    title: 'On this phone',
    what:
      'A message about the points that you chose above, and when a code of yours is used. Also ' +
      'while this app is closed.',
    on: 'Notify me on this phone',
    blocked:
      'Your browser blocks messages from here. Allow them in its settings for this site, then ' +
      'open this page again.',
    atApple:
      'On an iPhone or iPad, first add this app to your home screen: tap Share, then “Add to ' +
      'Home Screen”. Then open it from there.',
    impossible: 'This browser cannot show such messages.',
  },
  weekly: {
    title: 'Weekly mail',
    what:
      'Each Monday: what was sold, to how many known customers, which points were given and ' +
      'used, and what does not work. Mails about security always come.',
    on: 'Mail me each Monday',
  },
  waiting: {
    title: 'Merchants who wait',
    what: 'A mail when merchants have applied or asked for points, at most one an hour.',
    on: 'Mail me when a merchant waits',
  },
  noAddress: 'Without a verified e-mail address nothing can be mailed to you.',
  saved: 'Saved.',
  stop: {
    title: 'No more of these mails?',
    points: 'You will get no more mails about points. Codes are still mailed.',
    weekly: 'You will get no more weekly mails. Mails about security still come.',
    waiting: 'You will get no more mails about merchants who wait.',
    submit: 'No more mails',
    done: 'You get no more of these mails.',
    change: 'You can change it again in the menu of your account, under Notices.',
  },
} as const;
