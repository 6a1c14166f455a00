import { describe, expect, it } from 'vitest';
import { type Access, limitOf, pathOf, type Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes/index.ts';

type Row = readonly [method: Route['method'], path: string, access: Access];

/** The endpoints that were required of the service. */
const SPECIFIED: readonly Row[] = [
  ['GET', '/', 'public'],
  ['GET', '/health', 'public'],
  ...api([
    ['GET', '/auth/me', 'any-token'],

    ['GET', '/consumer/wallets', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/wallets/:walletId', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/wallets/:walletId/history', 'WALLET_HISTORY_OWN'],
    ['POST', '/consumer/wallets/:walletId/redeem/preview', 'WALLET_REDEEM'],
    ['POST', '/consumer/wallets/:walletId/redeem/confirm', 'WALLET_REDEEM'],

    ['POST', '/client/bootstrap-merchant-workspace', 'TENANT_PROFILE_UPDATE'],
    ['GET', '/client/tenants/:tenantId', 'TENANT_VIEW'],
    ['PATCH', '/client/tenants/:tenantId/onboarding', 'TENANT_PROFILE_UPDATE'],
    ['POST', '/client/tenants/:tenantId/branding/logo', 'TENANT_PROFILE_UPDATE'],
    ['DELETE', '/client/tenants/:tenantId/branding/logo', 'TENANT_PROFILE_UPDATE'],
    ['PATCH', '/client/tenants/:tenantId/branding', 'TENANT_PROFILE_UPDATE'],
    ['GET', '/client/tenants/:tenantId/pos-connections', 'TENANT_VIEW'],
    ['POST', '/client/tenants/:tenantId/pos-connections/alpha/connect', 'TENANT_POS_CONNECT'],
    ['POST', '/client/tenants/:tenantId/pos-connections/beta/connect', 'TENANT_POS_CONNECT'],
    ['DELETE', '/client/tenants/:tenantId/pos-connections/:connectionId', 'TENANT_POS_CONNECT'],
    ['GET', '/client/tenants/:tenantId/reward-rules', 'TENANT_VIEW'],
    ['POST', '/client/tenants/:tenantId/reward-rules', 'TENANT_REWARD_CONFIG'],
    ['GET', '/client/tenants/:tenantId/store-operators', 'TENANT_TEAM_INVITE'],
    ['POST', '/client/tenants/:tenantId/store-operator-invites', 'TENANT_TEAM_INVITE'],
    ['DELETE', '/client/tenants/:tenantId/store-operator-invites/:inviteId', 'TENANT_TEAM_INVITE'],
    ['DELETE', '/client/tenants/:tenantId/store-operators/:userId', 'TENANT_TEAM_INVITE'],
    ['GET', '/client/tenants/:tenantId/transactions', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/consumers', 'TENANT_CONSUMER_VIEW'],
    ['GET', '/client/debug/alpha', 'TENANT_VIEW'],

    ['GET', '/pos/context', 'REDEMPTION_VERIFY'],
    ['POST', '/pos/redemptions/lookup', 'REDEMPTION_VERIFY'],
    ['POST', '/pos/redemptions/complete', 'REDEMPTION_VERIFY'],

    ['GET', '/admin/health', 'ADMIN_TENANTS_VIEW_ALL'],
    ['GET', '/admin/tenants', 'ADMIN_TENANTS_VIEW_ALL'],
    ['GET', '/admin/tenants/:tenantId', 'ADMIN_TENANTS_VIEW_ALL'],
    ['POST', '/admin/wallets/:walletId/freeze', 'ADMIN_WALLET_FREEZE'],
    ['POST', '/admin/wallets/:walletId/unfreeze', 'ADMIN_WALLET_FREEZE'],
    ['POST', '/admin/wallets/:walletId/adjust', 'ADMIN_WALLET_ADJUST'],
    ['GET', '/admin/audit-logs', 'ADMIN_AUDIT_LOGS_VIEW'],
    ['GET', '/admin/users/search', 'ADMIN_USER_SEARCH'],
    ['GET', '/admin/search', 'ADMIN_USER_SEARCH'],
    ['PATCH', '/admin/users/:userId/approve', 'ADMIN_USER_MANAGE'],
    ['PATCH', '/admin/users/:userId/role', 'ADMIN_USER_MANAGE'],

    ['POST', '/webhooks/alpha', 'signed-webhook'],
    ['POST', '/webhooks/beta', 'signed-webhook'],
    ['GET', '/oauth/alpha/callback', 'signed-state'],
    ['GET', '/oauth/beta/callback', 'signed-state'],
    ['POST', '/internal/cron/alpha-poll-payments', 'cron-secret'],
    ['POST', '/internal/cron/process-pending-webhooks', 'cron-secret'],
  ]),
];

/** The endpoints that were added to them. */
const ADDED: readonly Row[] = [
  ['GET', '/health/ready', 'public'],
  ['GET', '/objects/:objectName', 'public'],
  ...api([
    ['GET', '/openapi.json', 'public'],
    ['GET', '/openapi-internal.json', 'public'],
    ['GET', '/statement-keys', 'public'],
    ['PATCH', '/auth/me', 'any-token'],
    ['PUT', '/auth/me/application', 'any-token'],
    ['GET', '/auth/me/notices', 'active-user'],
    ['PATCH', '/auth/me/notices', 'active-user'],
    ['POST', '/auth/me/push-subscriptions', 'active-user'],
    ['DELETE', '/auth/me/push-subscriptions/:pushSubscriptionId', 'active-user'],
    ['GET', '/notices/stop', 'public'],
    ['POST', '/notices/stop', 'public'],
    ['GET', '/auth/invites/:inviteId', 'active-user'],
    ['POST', '/auth/invites/:inviteId/accept', 'active-user'],
    ['POST', '/auth/invites/:inviteId/decline', 'active-user'],
    ['DELETE', '/pos/membership/:tenantId', 'active-user'],
    ['GET', '/consumer/wallets/:walletId/history/:entryId/explain', 'WALLET_HISTORY_OWN'],
    ['GET', '/consumer/wallets/:walletId/proof', 'WALLET_HISTORY_OWN'],
    ['GET', '/consumer/export', 'WALLET_HISTORY_OWN'],
    ['POST', '/consumer/erasure', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/erasure', 'WALLET_VIEW_OWN'],
    ['DELETE', '/consumer/erasure', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/wallets/:walletId/programme', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/wallets/:walletId/validity', 'WALLET_VIEW_OWN'],
    ['GET', '/client/tenants/:tenantId/programme', 'TENANT_VIEW'],
    ['POST', '/client/tenants/:tenantId/programme', 'TENANT_REWARD_CONFIG'],
    [
      'GET',
      '/client/tenants/:tenantId/pos-connections/:connectionId/truth',
      'TENANT_ANALYTICS_VIEW',
    ],
    [
      'POST',
      '/client/tenants/:tenantId/pos-connections/:connectionId/truth/:day/repair',
      'TENANT_POS_CONNECT',
    ],
    ['GET', '/client/tenants/:tenantId/campaigns', 'TENANT_VIEW'],
    ['GET', '/client/tenants/:tenantId/campaigns/:campaignId', 'TENANT_VIEW'],
    ['POST', '/client/tenants/:tenantId/campaigns', 'TENANT_REWARD_CONFIG'],
    ['POST', '/client/tenants/:tenantId/campaigns/:campaignId/end', 'TENANT_REWARD_CONFIG'],
    ['GET', '/client/tenants/:tenantId/rewards', 'TENANT_VIEW'],
    ['POST', '/client/tenants/:tenantId/rewards', 'TENANT_REWARD_CONFIG'],
    ['POST', '/client/tenants/:tenantId/rewards/:rewardId/end', 'TENANT_REWARD_CONFIG'],
    ['GET', '/consumer/wallets/:walletId/rewards', 'WALLET_VIEW_OWN'],
    ['POST', '/consumer/wallets/:walletId/rewards/:rewardId/redeem', 'WALLET_REDEEM'],
    ['GET', '/client/tenants/:tenantId/imports', 'TENANT_REWARD_CONFIG'],
    ['POST', '/client/tenants/:tenantId/imports', 'TENANT_REWARD_CONFIG'],
    ['GET', '/client/tenants/:tenantId/imports/:importId', 'TENANT_REWARD_CONFIG'],
    ['DELETE', '/client/tenants/:tenantId/imports/:importId', 'TENANT_REWARD_CONFIG'],
    ['GET', '/admin/imports', 'ADMIN_WALLET_ADJUST'],
    ['POST', '/admin/imports/:importId/approve', 'ADMIN_WALLET_ADJUST'],
    ['POST', '/admin/imports/:importId/revert', 'ADMIN_WALLET_ADJUST'],
    ['GET', '/client/tenants/:tenantId/redemptions/:redemptionId', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/totals/consumers', 'TENANT_CONSUMER_VIEW'],
    ['GET', '/client/tenants/:tenantId/totals/redemptions', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/totals/transactions', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/transactions/:transactionId', 'TENANT_ANALYTICS_VIEW'],
    ['POST', '/client/tenants/:tenantId/search', 'TENANT_CONSUMER_VIEW'],
    ['GET', '/client/tenants/:tenantId/consumers/:userId/history', 'TENANT_CONSUMER_VIEW'],
    ['POST', '/client/tenants/:tenantId/redemptions/:redemptionId/mail', 'TENANT_CONSUMER_VIEW'],
    [
      'POST',
      '/client/tenants/:tenantId/consumers/:userId/goodwill-requests',
      'TENANT_REWARD_CONFIG',
    ],
    ['GET', '/client/tenants/:tenantId/goodwill-requests', 'TENANT_CONSUMER_VIEW'],
    [
      'POST',
      '/client/tenants/:tenantId/goodwill-requests/:goodwillId/withdraw',
      'TENANT_REWARD_CONFIG',
    ],
    ['GET', '/admin/goodwill-requests', 'ADMIN_WALLET_ADJUST'],
    ['POST', '/admin/goodwill-requests/:goodwillId/grant', 'ADMIN_WALLET_ADJUST'],
    ['POST', '/admin/goodwill-requests/:goodwillId/decline', 'ADMIN_WALLET_ADJUST'],
    ['GET', '/client/tenants/:tenantId/liability', 'TENANT_ANALYTICS_VIEW'],
    ['POST', '/client/tenants/:tenantId/rehearsals', 'TENANT_REWARD_CONFIG'],
    ['GET', '/client/tenants/:tenantId/rehearsals', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/rehearsals/:rehearsalId', 'TENANT_ANALYTICS_VIEW'],
    ['POST', '/consumer/wallets', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/member', 'WALLET_VIEW_OWN'],
    ['POST', '/consumer/member/rotate', 'WALLET_VIEW_OWN'],
    ['POST', '/pos/members/lookup', 'REDEMPTION_VERIFY'],
    ['GET', '/pos/anonymous-sales', 'REDEMPTION_VERIFY'],
    ['POST', '/pos/anonymous-sales/:transactionId/attach', 'REDEMPTION_VERIFY'],
    ['GET', '/client/tenants/:tenantId/attachments', 'TENANT_ANALYTICS_VIEW'],
    ['POST', '/client/tenants/:tenantId/attachments', 'TENANT_PROFILE_UPDATE'],
    ['GET', '/consumer/shops/:tenantId', 'WALLET_VIEW_OWN'],
    ['GET', '/consumer/redemptions', 'WALLET_HISTORY_OWN'],
    ['GET', '/consumer/redemptions/:redemptionId', 'WALLET_HISTORY_OWN'],
    ['POST', '/consumer/redemptions/:redemptionId/cancel', 'WALLET_REDEEM'],
    ['GET', '/pos/redemptions', 'REDEMPTION_VERIFY'],
    ['GET', '/pos/day', 'REDEMPTION_VERIFY'],
    ['GET', '/client/tenants/:tenantId/day', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/redemptions', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/consumer/events', 'WALLET_VIEW_OWN'],
    ['GET', '/pos/events', 'REDEMPTION_VERIFY'],
    ['GET', '/client/tenants/:tenantId/store-operator-invites', 'TENANT_TEAM_INVITE'],
    [
      'GET',
      '/client/tenants/:tenantId/transactions/:transactionId/explain',
      'TENANT_ANALYTICS_VIEW',
    ],
    ['GET', '/client/tenants/:tenantId/statistics', 'TENANT_ANALYTICS_VIEW'],
    ['GET', '/client/tenants/:tenantId/consumers/:userId', 'TENANT_CONSUMER_VIEW'],
    ['GET', '/client/tenants/:tenantId/audit-logs', 'TENANT_PROFILE_UPDATE'],
    ['GET', '/admin/users/:userId', 'ADMIN_USER_SEARCH'],
    ['GET', '/admin/wallets', 'ADMIN_TENANTS_VIEW_ALL'],
    ['GET', '/admin/wallets/:walletId', 'ADMIN_TENANTS_VIEW_ALL'],
    ['GET', '/admin/wallets/:walletId/history', 'ADMIN_TENANTS_VIEW_ALL'],
    ['POST', '/client/tenants/:tenantId/webhook-endpoints', 'TENANT_PROFILE_UPDATE'],
    ['GET', '/client/tenants/:tenantId/webhook-endpoints', 'TENANT_PROFILE_UPDATE'],
    ...(['GET', 'PATCH', 'DELETE'] as const).map(
      (method): Row => [
        method,
        '/client/tenants/:tenantId/webhook-endpoints/:endpointId',
        'TENANT_PROFILE_UPDATE',
      ],
    ),
    [
      'POST',
      '/client/tenants/:tenantId/webhook-endpoints/:endpointId/test',
      'TENANT_PROFILE_UPDATE',
    ],
    [
      'POST',
      '/client/tenants/:tenantId/webhook-endpoints/:endpointId/rotate-secret',
      'TENANT_PROFILE_UPDATE',
    ],
    [
      'GET',
      '/client/tenants/:tenantId/webhook-endpoints/:endpointId/deliveries',
      'TENANT_PROFILE_UPDATE',
    ],
    [
      'POST',
      '/client/tenants/:tenantId/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
      'TENANT_PROFILE_UPDATE',
    ],
    ['GET', '/client/tenants/:tenantId/events', 'TENANT_ANALYTICS_VIEW'],
    ['POST', '/admin/tenants/:tenantId/suspend', 'ADMIN_USER_MANAGE'],
    ['POST', '/admin/tenants/:tenantId/reinstate', 'ADMIN_USER_MANAGE'],
    ['POST', '/admin/users/:userId/suspend', 'ADMIN_USER_MANAGE'],
    ['POST', '/admin/users/:userId/reinstate', 'ADMIN_USER_MANAGE'],
    ['POST', '/admin/users/:userId/erase', 'ADMIN_USER_MANAGE'],
    ['DELETE', '/admin/users/:userId/erase', 'ADMIN_USER_MANAGE'],
  ]),
  ['GET', '/api/v1', 'public'],
  ['GET', '/docs', 'public'],
  ['GET', '/docs/', 'public'],
  ['GET', '/docs/search.js', 'public'],
  ['GET', '/docs/try', 'public'],
  ['GET', '/docs/start.js', 'public'],
  ['GET', '/docs/reference.js', 'public'],
  ['GET', '/docs/signed-in', 'public'],
  ['GET', '/docs/build-an-app', 'public'],
  ['GET', '/docs/pages.css', 'public'],
  ['GET', '/.well-known/openid-configuration', 'public'],
];

const nameOf = ([method, path]: Row) => `${method} ${path}`;
const specified = new Map(SPECIFIED.map((row) => [nameOf(row), row[2]]));
const added = new Map(ADDED.map((row) => [nameOf(row), row[2]]));
const served = routes.map((route) => [`${route.method} ${pathOf(route)}`, route.access] as const);

function api(rows: readonly Row[]): Row[] {
  return rows.map(([method, path, access]) => [method, `/api/v1${path}`, access]);
}

describe('the routes', () => {
  it('equal the required and the added endpoints, each with its access', () => {
    const expected = [...specified, ...added];
    expect(Object.fromEntries(served)).toEqual(Object.fromEntries(expected));
  });

  it('have one address each', () => {
    const names = served.map(([name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

it('looking codes up and burning them is limited more than other writes are', () => {
  const atTills = routes.filter(({ path }) => path.startsWith('/pos/redemptions/'));
  const asked = atTills.filter(({ method }) => method === 'POST').map(limitOf);
  expect(asked).toEqual(['lookups', 'lookups']);
});

it('every POST of programmes takes an Idempotency-Key, but look-ups', () => {
  const posts = routes.filter(({ programme, method }) => programme === true && method === 'POST');
  const others = posts.filter(({ idempotent }) => idempotent !== true).map(({ path }) => path);
  expect(posts.length).toBeGreaterThan(10);
  expect(others).toEqual(['/pos/members/lookup']);
});

it('unknown fields are ignored where mail programs choose them, and in …/connect', () => {
  const tolerant = routes.filter(({ ignoresBody }) => ignoresBody !== undefined);
  expect([...new Set(tolerant.map(({ path }) => path))]).toEqual([
    '/notices/stop',
    '/client/tenants/:tenantId/pos-connections/alpha/connect',
    '/client/tenants/:tenantId/pos-connections/beta/connect',
  ]);
});

describe('the tables', () => {
  it('list no endpoint twice', () => {
    expect(specified.size).toBe(SPECIFIED.length);
    expect([...added.keys()].filter((name) => specified.has(name))).toEqual([]);
  });
});
