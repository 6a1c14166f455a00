/** What the back office says about erasing a person. */
export const erasureTexts = {
  erase: {
    label: 'Erasure',
    statuses: {
      scheduled: (at: string) => `Will be erased on ${at}`,
      withdrawn: (at: string) => `Withdrawn, was for ${at}`,
      running: (at: string) => `Is being erased, since ${at}`,
      done: (at: string) => `Erased on ${at}`,
    },
    open: 'Erase',
    title: (who: string) => `Erase ${who}?`,
    what: [
      'Their name and addresses, their points and their codes go, at all shops, and they work at',
      'no till any more. That cannot be undone.',
    ].join(' '),
    until: [
      'It begins in 72 hours. They are told by mail, if an address is verified, and can withdraw',
      'it until then; so can you.',
    ].join(' '),
    points: (points: string) =>
      `They hold ${points}, which count to what you may take away in 24 hours.`,
    submit: 'Erase',
    done: 'The erasure is scheduled.',
    gone: 'They are erased: nothing of theirs can be changed any more.',
  },
  keep: {
    open: 'Withdraw the erasure',
    title: (who: string) => `Keep ${who}?`,
    what: [
      'They are not erased, even if they asked for it themselves: then they would have to ask',
      'again. They are told by mail.',
    ].join(' '),
    submit: 'Withdraw the erasure',
    done: 'The erasure is withdrawn.',
  },
} as const;
