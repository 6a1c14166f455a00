import { POLLED_PROVIDERS, PROVIDERS, type Provider } from '../../domain/payment.ts';
import { providers } from '../../gateways/providers/index.ts';
import type { Route } from '../http/route.ts';
import type { NamedRoutes } from '../openapi/document.ts';
import { listAuditLogs } from './admin/audit-logs.ts';
import { eraseUser, withdrawErasureOf } from './admin/erasing.ts';
import { showServiceHealth } from './admin/health.ts';
import { approveImport, listAllImports, revertImport } from './admin/imports.ts';
import { searchIds } from './admin/search.ts';
import { reinstateTenant, reinstateUser, suspendTenant, suspendUser } from './admin/suspending.ts';
import { listTenants, showTenantDetail } from './admin/tenants.ts';
import { showUser } from './admin/user-detail.ts';
import { approveUser, searchUsers, setUserRole } from './admin/users.ts';
import { listUserWallets, listWalletHistory, showWallet } from './admin/wallet-views.ts';
import { adjustWallet, freezeWallet, unfreezeWallet } from './admin/wallets.ts';
import { sendApplication, showOwnProfile, updateOwnProfile } from './auth.ts';
import { attachSaleByMerchant, listAttachments } from './client/attachments.ts';
import { listTenantAuditLogs } from './client/audit-logs.ts';
import { removeLogo, updateBranding, uploadLogo } from './client/branding.ts';
import { endCampaign, listCampaigns, publishCampaign, showCampaign } from './client/campaigns.ts';
import { listConsumers, showConsumer } from './client/consumers.ts';
import { showShopDay } from './client/day-sheet.ts';
import { showSetupOf } from './client/debug.ts';
import { listTenantEvents } from './client/events.ts';
import { listImports, showImport, uploadImport, withdrawImport } from './client/imports.ts';
import { showLiability } from './client/liability.ts';
import { connectTo, disconnectPos, listPosConnections } from './client/pos-connections.ts';
import { listProgrammeVersions, publishProgramme } from './client/programme.ts';
import { listRedemptions } from './client/redemptions.ts';
import { beginRehearsal, listRehearsals, showRehearsal } from './client/rehearsals.ts';
import { listRewardRules, publishRewardRule } from './client/reward-rules.ts';
import { endReward, listRewards, publishReward } from './client/rewards.ts';
import { showStatistics } from './client/statistics.ts';
import {
  inviteStoreOperator,
  listStoreOperatorInvites,
  withdrawStoreOperatorInvite,
} from './client/store-operator-invites.ts';
import { listStoreOperators, removeStoreOperator } from './client/store-operators.ts';
import { bootstrapWorkspace, showTenant, updateOnboarding } from './client/tenants.ts';
import { totals } from './client/totals.ts';
import { explainTransaction, listTransactions } from './client/transactions.ts';
import { listTruthDays, repairDay } from './client/truth.ts';
import { listDeliveries, replayDelivery, testEndpoint } from './client/webhook-deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateEndpointSecret,
  showEndpoint,
  updateEndpoint,
} from './client/webhook-endpoints.ts';
import { requestErasure, showErasure, withdrawErasure } from './consumer/erasure.ts';
import { followOwnEvents } from './consumer/events.ts';
import { exportOwnData } from './consumer/export.ts';
import { explainHistoryEntry } from './consumer/history.ts';
import { joinShop, showJoinableShop } from './consumer/joining.ts';
import { rotateMemberNumber, showMemberCard } from './consumer/member.ts';
import {
  cancelRedemption,
  listOwnRedemptions,
  showOwnRedemption,
} from './consumer/own-redemptions.ts';
import { showOwnProgramme, showOwnValidity } from './consumer/programme.ts';
import { confirmRedemption, previewRedemption } from './consumer/redemptions.ts';
import { listOfferedRewards, redeemReward } from './consumer/rewards.ts';
import { proveOwnWallet } from './consumer/wallet-proof.ts';
import { listOwnHistory, listOwnWallets, showOwnWallet } from './consumer/wallets.ts';
import { pollPaymentsAt, processPendingWebhooks } from './cron.ts';
import { customerService, goodwillQueue } from './customer-service.ts';
import { docsRoutes } from './docs.ts';
import { acceptInvite, declineInvite, showInvite } from './invites.ts';
import { notices } from './notices.ts';
import { returnFrom } from './oauth/callbacks.ts';
import { showObject } from './objects.ts';
import { showOperatorContext } from './pos/context.ts';
import { showTillDay } from './pos/day-sheet.ts';
import { followShopEvents } from './pos/events.ts';
import { attachSaleAtTill, findAnonymousSales, lookupMember } from './pos/members.ts';
import { leaveShop } from './pos/membership.ts';
import { completeRedemption, listUsedRedemptions, lookupRedemption } from './pos/redemptions.ts';
import { pushSubscriptions } from './push-subscriptions.ts';
import { showHealth, showReadiness, showService } from './service.ts';
import { listStatementKeys } from './statement-keys.ts';
import { receiveEventOf } from './webhooks/receive-event.ts';

const WITH_SETUP = PROVIDERS.filter((name) => providers[name].isSetupShown);

/** The same route for several providers, by its names. */
function forEach<Name extends Provider>(
  names: readonly Name[],
  nameFor: (label: string) => string,
  make: (provider: Name) => Route,
): NamedRoutes {
  return Object.fromEntries(names.map((name) => [nameFor(providers[name].label), make(name)]));
}

/** The routes by name, which is the id of its operation: what generated clients call it. */
const api = {
  showService,
  showHealth,
  showReadiness,
  showObject,
  listStatementKeys,

  showProfile: showOwnProfile,
  updateProfile: updateOwnProfile,
  sendApplication,
  ...notices,
  ...pushSubscriptions,
  showInvite,
  acceptInvite,
  declineInvite,

  listWallets: listOwnWallets,
  joinShop,
  showJoinableShop,
  showMemberCard,
  rotateMemberNumber,
  showWallet: showOwnWallet,
  listWalletHistory: listOwnHistory,
  explainHistoryEntry,
  exportOwnData,
  requestErasure,
  showErasure,
  withdrawErasure,
  proveWallet: proveOwnWallet,
  showWalletProgramme: showOwnProgramme,
  listWalletRewards: listOfferedRewards,
  redeemReward,
  showWalletValidity: showOwnValidity,
  previewRedemption,
  confirmRedemption,
  listRedemptions: listOwnRedemptions,
  showRedemption: showOwnRedemption,
  cancelRedemption,
  followEvents: followOwnEvents,

  bootstrapWorkspace,
  showTenant,
  updateOnboarding,
  uploadLogo,
  removeLogo,
  updateBranding,
  listPosConnections,
  ...forEach(PROVIDERS, (label) => `connect${label}`, connectTo),
  listTruthDays,
  repairDay,
  disconnectPos,
  listRewardRules,
  publishRewardRule,
  listProgrammeVersions,
  publishProgramme,
  listCampaigns,
  showCampaign,
  publishCampaign,
  endCampaign,
  listRewards,
  publishReward,
  endReward,
  beginRehearsal,
  listRehearsals,
  showRehearsal,
  uploadImport,
  listImports,
  showImport,
  withdrawImport,
  listStoreOperators,
  removeStoreOperator,
  attachSaleByMerchant,
  listAttachments,
  inviteStoreOperator,
  listStoreOperatorInvites,
  withdrawStoreOperatorInvite,
  listTransactions,
  explainTransaction,
  listTenantRedemptions: listRedemptions,
  showStatistics,
  showShopDay,
  showLiability,
  listConsumers,
  showConsumer,
  ...customerService,
  ...totals,
  listTenantAuditLogs,
  ...forEach(WITH_SETUP, (label) => `show${label}Setup`, showSetupOf),

  createWebhookEndpoint: createEndpoint,
  listWebhookEndpoints: listEndpoints,
  showWebhookEndpoint: showEndpoint,
  updateWebhookEndpoint: updateEndpoint,
  rotateWebhookSecret: rotateEndpointSecret,
  testWebhookEndpoint: testEndpoint,
  listWebhookDeliveries: listDeliveries,
  replayWebhookDelivery: replayDelivery,
  deleteWebhookEndpoint: deleteEndpoint,
  listTenantEvents,

  showOperatorContext,
  lookupRedemption,
  lookupMember,
  findAnonymousSales,
  attachSaleAtTill,
  completeRedemption,
  listUsedRedemptions,
  showTillDay,
  followShopEvents,
  leaveShop,

  showServiceHealth,
  listTenants,
  showTenantDetail,
  listUserWallets,
  showUserWallet: showWallet,
  listUserWalletHistory: listWalletHistory,
  freezeWallet,
  unfreezeWallet,
  adjustWallet,
  ...goodwillQueue,
  listAllImports,
  approveImport,
  revertImport,
  listAuditLogs,
  searchUsers,
  searchIds,
  showUser,
  approveUser,
  setUserRole,
  suspendUser,
  reinstateUser,
  eraseUser,
  withdrawErasureOf,
  suspendTenant,
  reinstateTenant,

  ...forEach(PROVIDERS, (label) => `receive${label}Event`, receiveEventOf),

  ...forEach(PROVIDERS, (label) => `returnFrom${label}`, returnFrom),

  ...forEach(POLLED_PROVIDERS, (label) => `poll${label}Payments`, pollPaymentsAt),
  processPendingWebhooks,
} satisfies NamedRoutes;

/** Every route of the service by its name. */
export const namedRoutes: NamedRoutes = { ...api, ...docsRoutes(api) };

/** Every route of the service. */
export const routes: readonly Route[] = Object.values(namedRoutes);
