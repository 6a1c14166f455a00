import * as auditLog from '../../../db/audit-log.ts';
import type { Tx } from '../../../db/connection.ts';
import * as accounts from '../../../db/connections/accounts.ts';
import * as availability from '../../../db/connections/availability.ts';
import { listConnections } from '../../../db/connections/overview.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as tenures from '../../../db/connections/tenures.ts';
import * as operations from '../../../db/events/operations.ts';
import * as history from '../../../db/ledger/history.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as payments from '../../../db/payments/payments.ts';
import * as refusedPayments from '../../../db/payments/refused.ts';
import * as revisions from '../../../db/payments/revisions.ts';
import * as trail from '../../../db/payments/trail.ts';
import * as following from '../../../db/redemptions/following.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import { listUsed } from '../../../db/redemptions/used.ts';
import * as tenantAdmin from '../../../db/tenants/admin.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import * as overview from '../../../db/tenants/overview.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import * as rewardRules from '../../../db/tenants/reward-rules.ts';
import { listShopViews } from '../../../db/tenants/shop-views.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import * as toldChanges from '../../../db/told-changes.ts';
import * as userAdmin from '../../../db/users/admin.ts';
import * as inviteDecisions from '../../../db/users/invite-decisions.ts';
import * as inviteMails from '../../../db/users/invite-mails.ts';
import * as invites from '../../../db/users/invites.ts';
import * as memberships from '../../../db/users/memberships.ts';
import type {
  ConnectionId,
  PaymentId,
  RedemptionId,
  UserId,
  WalletId,
} from '../../../domain/ids.ts';
import { REDEMPTION_STATUSES } from '../../../domain/redemption.ts';
import { at, type Case, DEEP, LIMIT, manyOf, tenantId, userId, walletId } from './cases.ts';
import type { Bounds } from './findings.ts';
import { idOf } from './rows.ts';

const limit = LIMIT;
/** Those of one tenant are looked for among up to a million. */
const SEARCHED = { skipped: 100_000 };
/** Entries of the hour around each end of a time. */
const AROUND_TIMES = 100;
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** There are few tenants beside what they hold: who needs attention is found among all of them. */
const OF_ALL_TENANTS = {
  skipped: 50_000,
  scans: ['tenants', 'pos_connections', 'last_events', 'connection_polls', 'webhook_endpoints'],
};

const audit = (when: string, filter: auditLog.AuditFilter & { before?: number }): Case => ({
  covers: 'audit-log.list',
  when,
  rows: limit,
  skipped: AROUND_TIMES,
  run: (tx) => auditLog.list(tx, { limit, ...filter }),
});
const auditOfTenant = (
  when: string,
  filter: Omit<auditLog.AuditFilter, 'actorUserId'> & { before?: number },
): Case => ({
  covers: 'audit-log.listOfTenant',
  when,
  rows: limit,
  skipped: AROUND_TIMES,
  run: (tx) => auditLog.listOfTenant(tx, tenantId, { limit, ...filter }),
});
const search = (text: string, bounds: Partial<Bounds> = {}): Case => ({
  covers: 'users/admin.search',
  when: `for "${text}"`,
  rows: limit,
  skipped: 4_000,
  ...bounds,
  run: (tx) => userAdmin.search(tx, text),
});
/** The work of indexes of parts grows with the users who share three characters. */
const WITHOUT_PARTS = { unused: ['users_by_part_of_email', 'users_by_part_of_phone'] };

/** A page of each status is read. */
const OF_EACH_STATUS = { rows: 3 * limit };
/** Codes that nothing closes, which there are only while no worker runs. */
const OVERDUE = { skipped: 10_000 };
/** Someone with redemptions. */
const consumerId = idOf('user', 4) as UserId;
const consumerWalletId = idOf('wallet', 4) as WalletId;

/** Lists, searches and look-ups of people, each at its start and deep. */
export const LISTS: readonly Case[] = [
  audit('of everything', {}),
  audit('deep', { before: DEEP }),
  audit('of an actor', { actorUserId: userId }),
  audit('of an action', { action: 'wallet.freeze' }),
  audit('of what an actor never did', { actorUserId: userId, action: 'user.approve' }),
  audit('of what an actor did seldom', { actorUserId: userId, action: 'wallet.freeze' }),
  audit('of a target', { targetId: at.wallet }),
  audit('of a target and an action', { targetId: at.wallet, action: 'wallet.freeze' }),
  audit('of a target and an actor', { targetId: at.wallet, actorUserId: userId }),
  audit('of what was done to a user', { targetUserId: userId }),
  audit('of a request', { requestId: 'request 4999' }),
  audit('of requests with one id', { requestId: 'many' }),
  audit('of times', { from: ago(DEEP + 60), to: ago(DEEP) }),
  audit('until a time', { to: ago(DEEP) }),
  audit('of an actor until a time', { actorUserId: userId, to: ago(DEEP) }),
  audit('of an action until a time', { action: 'wallet.freeze', to: ago(DEEP) }),
  auditOfTenant('of everything', {}),
  auditOfTenant('deep', { before: DEEP }),
  auditOfTenant('of an action', { action: 'wallet.freeze' }),
  auditOfTenant('of what was never done there', { action: 'user.approve' }),
  auditOfTenant('of a target', { targetId: at.wallet }),
  auditOfTenant('until a time', { to: ago(DEEP) }),
  { covers: 'audit-log.lastSeq', rows: 1, run: (tx) => auditLog.lastSeq(tx) },
  {
    covers: 'audit-log.listInOrder',
    rows: limit,
    run: (tx) => auditLog.listInOrder(tx, { after: DEEP, upTo: 2 * DEEP, limit }),
  },
  search(''),
  search('4999@'),
  search('4999@many.test', WITHOUT_PARTS),
  search('4999@other.test', WITHOUT_PARTS),
  search('4999@third.te', WITHOUT_PARTS),
  search('@many.test', WITHOUT_PARTS),
  search('+12000004999', { unused: ['users_by_part_of_phone'] }),
  search('+1200000', { unused: ['users_by_part_of_phone'] }),
  search('many', WITHOUT_PARTS),
  search('nobody@anywhere.example', WITHOUT_PARTS),
  search('zq', { skipped: 40_000 }),
  ...(
    [
      ['newest', {}],
      ['deep', { after: { id: at.tenant, needsAttention: false } }],
      ['by name', { named: 'tenant 4999' }],
    ] as const
  ).map(
    ([when, page]): Case => ({
      covers: 'tenants/shop-views.listShopViews',
      when,
      // Counts the newest consumers of each tenant.
      rows: 1_000,
      ...OF_ALL_TENANTS,
      run: (tx) => listShopViews(tx, { limit, days: 1, ...page }),
    }),
  ),
  {
    covers: 'tenants/overview.get',
    rows: 1_000,
    run: (tx) => overview.get(tx, tenantId),
  },
  {
    covers: 'tenants/admin.healthOf',
    rows: 1,
    run: (tx) => tenantAdmin.healthOf(tx, tenantId),
  },
  ...([undefined, at.wallet].map((after) => ({
    covers: 'tenants/consumers.listOfTenant',
    rows: limit,
    run: (tx) => consumers.listOfTenant(tx, tenantId, { limit, after }),
  })) satisfies Case[]),
  ...([undefined, at.payment].map((after) => ({
    covers: 'payments/payments.listOfTenant',
    rows: limit,
    run: (tx) => payments.listOfTenant(tx, tenantId, { limit, after }),
  })) satisfies Case[]),
  {
    covers: 'connections/tenures.findOwners',
    rows: 1,
    run: (tx) =>
      tenures.findOwners(tx, [
        { provider: 'alpha', merchantId: `M${DEEP}`, occurredAt: new Date() },
      ]),
  },
  {
    covers: 'payments/trail.getTrail',
    rows: 200,
    run: (tx) => trail.getTrail(tx, idOf('payment', 11) as PaymentId),
  },
  {
    covers: 'events/operations.listOfPayment',
    rows: 200,
    run: (tx) => operations.listOfPayment(tx, idOf('payment', 11) as PaymentId),
  },
  ...operations.EVENT_KINDS.flatMap((kind): Case[] => [
    {
      covers: 'events/operations.list',
      when: kind,
      rows: limit,
      run: (tx) => operations.list(tx, { kind, limit }),
    },
    {
      covers: 'events/operations.list',
      when: `${kind} of a tenant`,
      rows: limit,
      ...((kind === 'pending' || kind === 'processed') && SEARCHED),
      run: (tx) => operations.list(tx, { kind, limit, tenantId }),
    },
  ]),
  {
    covers: 'payments/trail.listByProviderId',
    rows: 20,
    // Looks at every tenant.
    skipped: 100_000,
    scans: ['tenants'],
    run: (tx) => trail.listByProviderId(tx, `P${DEEP}`),
  },
  {
    covers: 'payments/trail.listByProviderId',
    when: 'of a tenant',
    rows: 20,
    run: (tx) => trail.listByProviderId(tx, `P${DEEP}`, tenantId),
  },
  ...(([null, at.payment] as const).map((after) => ({
    covers: 'payments/refused.listRefused',
    rows: limit,
    run: (tx) => refusedPayments.listRefused(tx, tenantId, { limit, after }),
  })) satisfies Case[]),
  {
    covers: 'payments/revisions.listAnonymous',
    rows: limit,
    run: (tx) =>
      revisions.listAnonymous(
        tx,
        { emails: [Buffer.from('many')], phones: [Buffer.from('many')] },
        { limit, after: null },
      ),
  },
  ...([undefined, DEEP].map((before) => ({
    covers: 'ledger/history.listOfWallet',
    rows: limit,
    run: (tx) => history.listOfWallet(tx, walletId, { limit, before }),
  })) satisfies Case[]),
  {
    covers: 'ledger/history.listOfWallet',
    when: 'of purchases',
    rows: limit,
    run: (tx) => history.listOfWallet(tx, walletId, { limit, sourceType: 'payment' }),
  },
  { covers: 'ledger/wallets.listOfUser', rows: limit, run: (tx) => wallets.listOfUser(tx, userId) },
  ...([undefined, 1_000].map((before) => ({
    covers: 'tenants/reward-rules.list',
    rows: limit,
    run: (tx) => rewardRules.list(tx, tenantId, { limit, before }),
  })) satisfies Case[]),
  ...([undefined, 1_000].map((before) => ({
    covers: 'tenants/programme.list',
    rows: limit,
    run: (tx) => programmes.list(tx, tenantId, { limit, before }),
  })) satisfies Case[]),
  {
    covers: 'tenants/tenants.listNames',
    rows: limit,
    run: (tx) => tenants.listNames(tx, manyOf(limit, 'tenant') as never[]),
  },
  ...([undefined, [Date.now() * 1000 - DEEP * 60e6, at.user] as const].map((after) => ({
    covers: 'users/memberships.listOperators',
    rows: limit,
    run: (tx) => memberships.listOperators(tx, tenantId, { limit, after }),
  })) satisfies Case[]),
  ...([undefined, at.invite].map((after) => ({
    covers: 'users/invites.listOpen',
    rows: limit,
    run: (tx) => invites.listOpen(tx, tenantId, { limit, after }),
  })) satisfies Case[]),
  {
    covers: 'users/invite-decisions.listPending',
    rows: limit,
    run: (tx) => inviteDecisions.listPending(tx, userId),
  },
  {
    covers: 'users/invite-decisions.getOwn',
    rows: 1,
    run: (tx) => inviteDecisions.getOwn(tx, userId, at.invite),
  },
  ...(([null, at.invite] as const).map((after) => ({
    covers: 'users/invite-mails.listOverdue',
    rows: limit,
    run: (tx) => inviteMails.listOverdue(tx, { limit, after }),
  })) satisfies Case[]),
  ...(([null, at.connection] as const).map((after) => ({
    covers: 'connections/overview.listConnections',
    rows: limit,
    run: (tx) => listConnections(tx, { limit, after }),
  })) satisfies Case[]),
  {
    covers: 'connections/overview.listConnections',
    when: 'of a tenant',
    rows: limit,
    run: (tx) => listConnections(tx, { limit, after: null, tenantId }),
  },
  ...(([null, at.connection] as const).map((after) => ({
    covers: 'connections/poll-positions.listPolled',
    rows: limit,
    run: (tx) => pollPositions.listPolled(tx, { limit, after }),
  })) satisfies Case[]),
  {
    covers: 'connections/poll-positions.list',
    rows: limit,
    run: (tx) => pollPositions.list(tx, at.connection),
  },
  {
    covers: 'connections/pos-connections.list',
    rows: limit,
    run: (tx) => posConnections.list(tx, tenantId, { limit }),
  },
  {
    covers: 'connections/pos-connections.listActive',
    rows: limit,
    run: (tx) => posConnections.listActive(tx, 'alpha', manyOf(limit, 'tenant') as never[]),
  },
  {
    covers: 'connections/pos-connections.findPrimary',
    rows: 1,
    run: (tx) => posConnections.findPrimary(tx, tenantId),
  },
  {
    covers: 'connections/accounts.findReadable',
    rows: limit,
    run: (tx) => accounts.findReadable(tx, manyOf(limit, 'connection') as ConnectionId[]),
  },
  {
    covers: 'told-changes.find',
    rows: limit,
    run: (tx) => toldChanges.find(tx, manyOf(limit, 'audit')),
  },
  {
    covers: 'told-changes.findStillLost',
    rows: limit,
    run: (tx) => toldChanges.findStillLost(tx, manyOf(limit, 'audit')),
  },
  {
    covers: 'connections/availability.listProbeable',
    rows: limit,
    run: (tx) => availability.listProbeable(tx, 'alpha', limit),
  },
  ...([undefined, ...REDEMPTION_STATUSES].flatMap((status) => [
    ...([undefined, at.redemption] as const).map((after) => ({
      covers: 'redemptions/listing.listOfTenant',
      when: `${status ?? 'all'}${after === undefined ? '' : ', deep'}`,
      ...OF_EACH_STATUS,
      ...(status === 'issued' && OVERDUE),
      run: (tx: Tx) => listing.listOfTenant(tx, tenantId, { limit, after, status }),
    })),
    {
      covers: 'redemptions/listing.listOfTenant',
      when: `${status ?? 'all'} of times`,
      ...OF_EACH_STATUS,
      ...(status === 'issued' && OVERDUE),
      run: (tx: Tx) => {
        const [from, to] = [ago(DEEP + 60), ago(DEEP)];
        return listing.listOfTenant(tx, tenantId, { limit, status, from, to });
      },
    },
    {
      covers: 'redemptions/listing.listOfTenant',
      when: `${status ?? 'all'} of a consumer`,
      ...OF_EACH_STATUS,
      run: (tx: Tx) => listing.listOfTenant(tx, tenantId, { limit, status, userId: consumerId }),
    },
    ...([undefined, at.redemption] as const).map((after) => ({
      covers: 'redemptions/listing.listOfUser',
      when: `${status ?? 'all'}${after === undefined ? '' : ', deep'}`,
      ...OF_EACH_STATUS,
      run: (tx: Tx) => listing.listOfUser(tx, consumerId, { limit, after, status }),
    })),
  ]) satisfies Case[]),
  {
    covers: 'redemptions/listing.listOfUser',
    when: 'of a wallet',
    ...OF_EACH_STATUS,
    run: (tx) => listing.listOfUser(tx, consumerId, { limit, walletId: consumerWalletId }),
  },
  ...([undefined, idOf('redemption', DEEP + 2) as RedemptionId].map((after) => ({
    covers: 'redemptions/used.listUsed',
    when: after === undefined ? 'newest' : 'deep',
    rows: limit,
    run: (tx) => listUsed(tx, tenantId, { from: ago(20_000), limit, after }),
  })) satisfies Case[]),
  {
    covers: 'ledger/wallets.listOwned',
    rows: 2,
    run: (tx) => wallets.listOwned(tx, [userId], [at.wallet, walletId]),
  },
  {
    covers: 'redemptions/lifecycle.listOverdue',
    rows: limit,
    run: (tx) => lifecycle.listOverdue(tx, limit),
  },
  ...(([null, at.redemption] as const).map((after) => ({
    covers: 'redemptions/following.listUnfollowed',
    rows: limit,
    run: (tx) => following.listUnfollowed(tx, { limit, after }),
  })) satisfies Case[]),
];
