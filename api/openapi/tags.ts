import type { Route } from '../http/route.ts';

/** Who reads a document: those who build apps, or those who run the service. */
export type Audience = 'apps' | 'internal';

/** What the operations of each tag are for. A route without one of these fails a test. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Auth: 'Who is signed in, what they may do, and which invites wait for their answer.',
  Consumer: 'Wallets of the signed-in person: balances, history, and redeeming points for a code.',
  Merchant: 'A shop’s profile, connections, reward rules, operators, sales and consumers.',
  Webhooks: 'Where a shop’s own systems are told of its events, and what was sent to them.',
  Operator: 'A shop’s till: looking codes up and using them.',
  Admin: 'Support of the whole service: tenants, people, wallets, and the audit log.',
  Proofs: 'What is needed to check the ledger without trusting the service.',
  Service: 'Whether the service works, and what it stores for others to see.',
  Reference: 'These documents, and the pages that explain them.',
  'Provider webhooks': 'Where the point-of-sale providers send their events.',
  'Provider sign-in': 'Where a provider returns a merchant’s browser to.',
  'Internal cron': 'Jobs that an external scheduler may start, beside the service’s own schedules.',
};

const INTERNAL_TAGS: readonly string[] = ['Service', 'Reference'];

/** Returns the tag of a route, under which its operation is listed. */
export function tagOf({ tag }: Route): string {
  return tag ?? 'Other';
}

/** Returns whose document describes a route: apps need nothing of providers, cron and probes. */
export function audienceOf(route: Route): Audience {
  switch (route.access) {
    case 'signed-webhook':
    case 'signed-state':
    case 'cron-secret':
      return 'internal';
    default:
      return INTERNAL_TAGS.includes(tagOf(route)) ? 'internal' : 'apps';
  }
}
