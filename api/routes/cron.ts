import { z } from 'zod';
import type { PolledProvider } from '../../domain/payment.ts';
import { route } from '../http/route.ts';

const count = z.int().min(0);
const PollCounts = z.object({
  connectionsScanned: count.describe('Connected accounts.'),
  paymentsProcessed: count.describe('Payments that were stored, or were stored before.'),
  errors: count.describe('Accounts whose poll failed, and payments that did alone.'),
});
const SweepCounts = z.object({
  scanned: count.describe('Events that were taken.'),
  succeeded: count.describe('Of them, those that are done.'),
  failed: count.describe('Of them, those to be tried again.'),
  limit: count.describe('How many a run takes at most.'),
});

const cron = {
  method: 'POST',
  access: 'cron-secret',
  tag: 'Internal cron',
} as const;

/** Makes the route that polls the accounts at a provider. */
export const pollPaymentsAt = (provider: PolledProvider) =>
  route({
    ...cron,
    path: `/internal/cron/${provider}-poll-payments`,
    summary: `Poll every connected ${provider} account`,
    description:
      'Ingests the payments since each account was last polled, at most 25 pages of 100 per ' +
      'account. An account that is already being polled counts as scanned. A failure is counted ' +
      'in `errors` and stops no other account.',
    response: PollCounts.extend({ ok: z.literal(true) }),
    examples: {
      response: { ok: true, connectionsScanned: 12, paymentsProcessed: 340, errors: 1 },
    },

    async handle({ cron: jobs }) {
      return { ok: true, ...(await jobs.poll(provider)) };
    },
  });

export const processPendingWebhooks = route({
  ...cron,
  path: '/internal/cron/process-pending-webhooks',
  summary: 'Ingest pending webhook events',
  description:
    'Takes up to 200 unprocessed events of the last 7 days. A failed event keeps its error and ' +
    'is tried again later, after a longer wait each time it fails.',
  response: SweepCounts.extend({ ok: z.literal(true) }),
  examples: { response: { ok: true, scanned: 3, succeeded: 2, failed: 1, limit: 200 } },

  async handle({ cron: jobs }) {
    return { ok: true, ...(await jobs.processPending()) };
  },
});
