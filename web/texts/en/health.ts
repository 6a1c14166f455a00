import type { Schema } from '../../shared/client.tsx';

type Kind = Schema['ServiceHealth']['overdueWork'][number]['kind'];

const SUPPORT = 'Tell those who look after the servers';

/** What the back office says about how the service is. */
export const healthTexts = {
  title: 'Health',
  lead: 'How the service is at this moment, and what to do about what is wrong.',
  good: 'All is well.',
  fine: 'Good',
  wrong: 'Needs help',
  off: 'switched off',
  failing: 'does not take what is sent',
  lasting: (what: string, age: string) => `${what}, for ${age}`,
  tried: (what: string, ago: string) => `${what}, last asked ${ago}`,
  work: (kind: string, lasting: string) => `${kind}: late by ${lasting}`,
  lines: {
    database: {
      name: 'Service and database',
      next: `The database does not answer. ${SUPPORT}: nothing works until it does.`,
    },
    background: {
      name: 'Work in the background',
      next:
        `What is done in the background stands still. ${SUPPORT}. No sale is lost: points come ` +
        'once it goes on.',
    },
    lost: {
      name: 'Connections to points of sale',
      next: 'These shops earn nothing until their merchant connects again. Ask them to.',
    },
    away: {
      name: 'Points of sale that answer',
      next:
        'These do not answer. We try again by ourselves, and points come later. If it lasts for ' +
        'more than an hour, ask the point of sale.',
    },
    unpolled: {
      name: 'Asking for missed sales',
      next:
        'These shops have not been asked for sales for hours, so that missed ones have no points ' +
        `yet. ${SUPPORT}.`,
    },
    pending: {
      name: 'Sales that wait for their points',
      next: `Sales have waited for more than ten minutes. ${SUPPORT}: points come late.`,
    },
    stuck: {
      name: 'Sales that can be read',
      next: `Some sales could not be read again and again. ${SUPPORT}, who can see why.`,
    },
    work: {
      name: 'Other work that is due',
      next: `Some work should have been done by now. ${SUPPORT}. Nothing of it is lost.`,
    },
    sending: {
      name: 'Sending to systems of shops',
      next: `Messages have waited for more than a quarter of an hour. ${SUPPORT}.`,
    },
    receivers: {
      name: 'Systems of shops that take what we send',
      next: 'Tell these merchants: under Webhooks they see what their system answered.',
    },
    maintenance: {
      name: 'Hourly cleaning',
      next: `It has not been done for hours. ${SUPPORT}: what has expired is still kept.`,
    },
    statements: {
      name: 'Signed statements',
      next: `They are hours late. ${SUPPORT}: proofs of balances are out of date.`,
    },
    verified: {
      name: 'Daily check of all balances',
      next: `It has not been done for more than a day. ${SUPPORT}.`,
    },
    ledger: {
      name: 'Balances',
      next:
        `The check found something wrong. ${SUPPORT} at once, and correct no balance ` +
        'meanwhile.',
    },
    backups: {
      name: 'Backups',
      next: `They are older than they may be. ${SUPPORT} today.`,
    },
  },
  backups: {
    log: (ago: string) => `Latest changes stored ${ago}`,
    copy: (ago: string) => `full copy made ${ago}`,
    check: (ago: string) => `restored and checked ${ago}`,
  },
  kinds: {
    decide_again: 'Sales of shops that go on again',
    match_phones: 'Earlier sales by phone number',
    match_signup: 'Earlier sales of new customers',
    push_points: 'Messages on phones about points that came',
    push_used_code: 'Messages on phones about used codes',
    read_account: 'Names of accounts at points of sale',
    remind_of_loss: 'Reminders of lost connections',
    revoke_authorization: 'Ending access to accounts that were disconnected',
    run_import: 'Members that shops bring over',
    tell_of_change: 'Mails about changes',
    tell_of_endpoint: 'Mails about webhooks that were switched off',
    tell_of_gap: 'Mails about sales that do not arrive',
    tell_of_import: 'Mails about members that were brought over',
    tell_of_points: 'Mails about points that came',
    tell_of_unusual: 'Mails about unusual movements',
    tell_of_waiting: 'Mails about merchants who wait',
    tell_of_week: 'Weekly mails to merchants',
    update_poll_schedule: 'How often shops are asked for sales',
  } satisfies Record<Kind, string>,
} as const;
