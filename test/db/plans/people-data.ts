import { id, into, tenantOf } from './rows.ts';

/** What is kept of people besides their rows. */
export const PEOPLE = [
  into('operator_removals', { tenant_id: id('tenant', '1'), user_id: id('user') }),
  into('code_guesses', { user_id: id('user') }),
  into('invites', {
    id: id('invite'),
    tenant_id: tenantOf('(1 + n / 2)'),
    email: `n || '@invited.test'`,
    status: `case when n % 2 = 0 then 'pending' else 'declined' end`,
    closed_at: 'case when n % 2 = 1 then now() end',
    email_status: `'sent'`,
    sent_at: `case when n % 4 = 0 then now() end`,
    invited_by: id('user', '1'),
    created_at: `now() - interval '2 hours' - n * interval '1 minute'`,
  }),
  into('invite_mails', {
    tenant_id: tenantOf('(1 + n / 2)'),
    email: `n || '@invited.test'`,
    invite_id: id('invite'),
    tried_at: `now() - interval '2 days'`,
  }),
  into('erasures', {
    id: id('erasure'),
    user_id: id('user'),
    points: '1',
    begins_at: `now() - n * interval '1 hour'`,
    begun_at: `now() - n * interval '1 hour'`,
    done_at: `case when n % 10 > 0 then now() - n * interval '1 hour' end`,
  }),
  into('erased_subjects', {
    subject_hmac: `decode(md5(n::text), 'hex')`,
    erased_at: `now() - n * interval '1 minute'`,
  }),
  into('push_subscriptions', {
    id: id('push'),
    user_id: id('user'),
    endpoint: `'https://push.example/' || n`,
    p256dh: `'key'`,
    auth: `'secret'`,
  }),
];
