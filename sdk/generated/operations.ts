// Generated from api/openapi/openapi.json by `npm run openapi`. Do not edit.

import type { Listing, Method, Operation } from '../operation.ts';
import type { operations } from './schema.ts';

/** How each operation is called. */
export const OPERATIONS = {
  listStatementKeys: { method: 'get', path: '/api/v1/statement-keys' },
  showProfile: { method: 'get', path: '/api/v1/auth/me' },
  updateProfile: { method: 'patch', path: '/api/v1/auth/me' },
  sendApplication: { method: 'put', path: '/api/v1/auth/me/application', isKeyed: true },
  showNotices: { method: 'get', path: '/api/v1/auth/me/notices' },
  changeNotices: { method: 'patch', path: '/api/v1/auth/me/notices' },
  openStopLink: { method: 'get', path: '/api/v1/notices/stop' },
  stopNotices: { method: 'post', path: '/api/v1/notices/stop' },
  addPushSubscription: { method: 'post', path: '/api/v1/auth/me/push-subscriptions' },
  removePushSubscription: { method: 'delete', path: '/api/v1/auth/me/push-subscriptions/{pushSubscriptionId}' },
  showInvite: { method: 'get', path: '/api/v1/auth/invites/{inviteId}' },
  acceptInvite: { method: 'post', path: '/api/v1/auth/invites/{inviteId}/accept', isKeyed: true },
  declineInvite: { method: 'post', path: '/api/v1/auth/invites/{inviteId}/decline', isKeyed: true },
  listWallets: { method: 'get', path: '/api/v1/consumer/wallets' },
  joinShop: { method: 'post', path: '/api/v1/consumer/wallets', isKeyed: true },
  showJoinableShop: { method: 'get', path: '/api/v1/consumer/shops/{tenantId}' },
  showMemberCard: { method: 'get', path: '/api/v1/consumer/member' },
  rotateMemberNumber: { method: 'post', path: '/api/v1/consumer/member/rotate', isKeyed: true },
  showWallet: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}' },
  listWalletHistory: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/history', isList: true },
  explainHistoryEntry: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/history/{entryId}/explain' },
  exportOwnData: { method: 'get', path: '/api/v1/consumer/export' },
  requestErasure: { method: 'post', path: '/api/v1/consumer/erasure', isKeyed: true },
  showErasure: { method: 'get', path: '/api/v1/consumer/erasure' },
  withdrawErasure: { method: 'delete', path: '/api/v1/consumer/erasure' },
  proveWallet: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/proof' },
  showWalletProgramme: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/programme' },
  listWalletRewards: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/rewards' },
  redeemReward: { method: 'post', path: '/api/v1/consumer/wallets/{walletId}/rewards/{rewardId}/redeem', isKeyed: true },
  showWalletValidity: { method: 'get', path: '/api/v1/consumer/wallets/{walletId}/validity' },
  previewRedemption: { method: 'post', path: '/api/v1/consumer/wallets/{walletId}/redeem/preview' },
  confirmRedemption: { method: 'post', path: '/api/v1/consumer/wallets/{walletId}/redeem/confirm', isKeyed: true },
  listRedemptions: { method: 'get', path: '/api/v1/consumer/redemptions', isList: true },
  showRedemption: { method: 'get', path: '/api/v1/consumer/redemptions/{redemptionId}' },
  cancelRedemption: { method: 'post', path: '/api/v1/consumer/redemptions/{redemptionId}/cancel', isKeyed: true },
  followEvents: { method: 'get', path: '/api/v1/consumer/events', isStream: true },
  bootstrapWorkspace: { method: 'post', path: '/api/v1/client/bootstrap-merchant-workspace' },
  showTenant: { method: 'get', path: '/api/v1/client/tenants/{tenantId}' },
  updateOnboarding: { method: 'patch', path: '/api/v1/client/tenants/{tenantId}/onboarding' },
  uploadLogo: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/branding/logo' },
  removeLogo: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/branding/logo' },
  updateBranding: { method: 'patch', path: '/api/v1/client/tenants/{tenantId}/branding' },
  listPosConnections: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/pos-connections', isList: true },
  connectAlpha: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/pos-connections/alpha/connect' },
  connectBeta: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/pos-connections/beta/connect' },
  listTruthDays: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth' },
  repairDay: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth/{day}/repair', isKeyed: true },
  disconnectPos: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}' },
  listRewardRules: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/reward-rules', isList: true },
  publishRewardRule: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/reward-rules', isKeyed: true },
  listProgrammeVersions: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/programme', isList: true },
  publishProgramme: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/programme', isKeyed: true },
  listCampaigns: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/campaigns', isList: true },
  publishCampaign: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/campaigns', isKeyed: true },
  showCampaign: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/campaigns/{campaignId}' },
  endCampaign: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/campaigns/{campaignId}/end', isKeyed: true },
  listRewards: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/rewards', isList: true },
  publishReward: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/rewards', isKeyed: true },
  endReward: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/rewards/{rewardId}/end', isKeyed: true },
  beginRehearsal: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/rehearsals', isKeyed: true },
  listRehearsals: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/rehearsals', isList: true },
  showRehearsal: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/rehearsals/{rehearsalId}' },
  uploadImport: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/imports', isKeyed: true },
  listImports: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/imports', isList: true },
  showImport: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/imports/{importId}' },
  withdrawImport: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/imports/{importId}' },
  listStoreOperators: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/store-operators', isList: true },
  removeStoreOperator: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/store-operators/{userId}' },
  attachSaleByMerchant: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/attachments', isKeyed: true },
  listAttachments: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/attachments', isList: true },
  inviteStoreOperator: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/store-operator-invites', isKeyed: true },
  listStoreOperatorInvites: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/store-operator-invites', isList: true },
  withdrawStoreOperatorInvite: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/store-operator-invites/{inviteId}' },
  listTransactions: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/transactions', isList: true },
  explainTransaction: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/transactions/{transactionId}/explain' },
  listTenantRedemptions: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/redemptions', isList: true },
  showStatistics: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/statistics' },
  showShopDay: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/day' },
  showLiability: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/liability' },
  listConsumers: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/consumers', isList: true },
  showConsumer: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/consumers/{userId}' },
  searchShop: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/search' },
  showTransaction: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/transactions/{transactionId}' },
  showTenantRedemption: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}' },
  listConsumerHistory: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/consumers/{userId}/history', isList: true },
  resendCode: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}/mail', isKeyed: true },
  askForGoodwill: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/consumers/{userId}/goodwill-requests', isKeyed: true },
  listGoodwill: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/goodwill-requests', isList: true },
  withdrawGoodwill: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/goodwill-requests/{goodwillId}/withdraw', isKeyed: true },
  sumTransactions: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/totals/transactions' },
  sumTenantRedemptions: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/totals/redemptions' },
  sumConsumers: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/totals/consumers' },
  listTenantAuditLogs: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/audit-logs', isList: true },
  showAlphaSetup: { method: 'get', path: '/api/v1/client/debug/alpha' },
  createWebhookEndpoint: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints', isKeyed: true },
  listWebhookEndpoints: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints' },
  showWebhookEndpoint: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}' },
  updateWebhookEndpoint: { method: 'patch', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}' },
  deleteWebhookEndpoint: { method: 'delete', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}' },
  rotateWebhookSecret: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/rotate-secret', isKeyed: true },
  testWebhookEndpoint: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/test', isKeyed: true },
  listWebhookDeliveries: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries', isList: true },
  replayWebhookDelivery: { method: 'post', path: '/api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay', isKeyed: true },
  listTenantEvents: { method: 'get', path: '/api/v1/client/tenants/{tenantId}/events', isList: true },
  showOperatorContext: { method: 'get', path: '/api/v1/pos/context', hasShop: true },
  lookupRedemption: { method: 'post', path: '/api/v1/pos/redemptions/lookup', hasShop: true },
  lookupMember: { method: 'post', path: '/api/v1/pos/members/lookup', hasShop: true },
  findAnonymousSales: { method: 'get', path: '/api/v1/pos/anonymous-sales', hasShop: true },
  attachSaleAtTill: { method: 'post', path: '/api/v1/pos/anonymous-sales/{transactionId}/attach', isKeyed: true, hasShop: true },
  completeRedemption: { method: 'post', path: '/api/v1/pos/redemptions/complete', isKeyed: true, hasShop: true },
  listUsedRedemptions: { method: 'get', path: '/api/v1/pos/redemptions', isList: true, hasShop: true },
  showTillDay: { method: 'get', path: '/api/v1/pos/day', hasShop: true },
  followShopEvents: { method: 'get', path: '/api/v1/pos/events', hasShop: true, isStream: true },
  leaveShop: { method: 'delete', path: '/api/v1/pos/membership/{tenantId}' },
  showServiceHealth: { method: 'get', path: '/api/v1/admin/health' },
  listTenants: { method: 'get', path: '/api/v1/admin/tenants', isList: true },
  showTenantDetail: { method: 'get', path: '/api/v1/admin/tenants/{tenantId}' },
  listUserWallets: { method: 'get', path: '/api/v1/admin/wallets' },
  showUserWallet: { method: 'get', path: '/api/v1/admin/wallets/{walletId}' },
  listUserWalletHistory: { method: 'get', path: '/api/v1/admin/wallets/{walletId}/history', isList: true },
  freezeWallet: { method: 'post', path: '/api/v1/admin/wallets/{walletId}/freeze', isKeyed: true },
  unfreezeWallet: { method: 'post', path: '/api/v1/admin/wallets/{walletId}/unfreeze', isKeyed: true },
  adjustWallet: { method: 'post', path: '/api/v1/admin/wallets/{walletId}/adjust', isKeyed: true },
  listWaitingGoodwill: { method: 'get', path: '/api/v1/admin/goodwill-requests', isList: true },
  grantGoodwill: { method: 'post', path: '/api/v1/admin/goodwill-requests/{goodwillId}/grant', isKeyed: true },
  declineGoodwill: { method: 'post', path: '/api/v1/admin/goodwill-requests/{goodwillId}/decline', isKeyed: true },
  listAllImports: { method: 'get', path: '/api/v1/admin/imports', isList: true },
  approveImport: { method: 'post', path: '/api/v1/admin/imports/{importId}/approve', isKeyed: true },
  revertImport: { method: 'post', path: '/api/v1/admin/imports/{importId}/revert', isKeyed: true },
  listAuditLogs: { method: 'get', path: '/api/v1/admin/audit-logs', isList: true },
  searchUsers: { method: 'get', path: '/api/v1/admin/users/search' },
  searchIds: { method: 'get', path: '/api/v1/admin/search' },
  showUser: { method: 'get', path: '/api/v1/admin/users/{userId}' },
  approveUser: { method: 'patch', path: '/api/v1/admin/users/{userId}/approve', isKeyed: true },
  setUserRole: { method: 'patch', path: '/api/v1/admin/users/{userId}/role', isKeyed: true },
  suspendUser: { method: 'post', path: '/api/v1/admin/users/{userId}/suspend' },
  reinstateUser: { method: 'post', path: '/api/v1/admin/users/{userId}/reinstate' },
  eraseUser: { method: 'post', path: '/api/v1/admin/users/{userId}/erase', isKeyed: true },
  withdrawErasureOf: { method: 'delete', path: '/api/v1/admin/users/{userId}/erase' },
  suspendTenant: { method: 'post', path: '/api/v1/admin/tenants/{tenantId}/suspend' },
  reinstateTenant: { method: 'post', path: '/api/v1/admin/tenants/{tenantId}/reinstate' },
} as const satisfies Partial<Record<keyof operations, Operation>>;

/** A method for each operation. It returns what the service answers, or throws. */
export interface Operations {
  /** List the keys that sign statements about the ledger, the current one first: `GET /api/v1/statement-keys`. */
  listStatementKeys: Method<'listStatementKeys'>;
  /** Show the profile of the signed-in user: `GET /api/v1/auth/me`. */
  showProfile: Method<'showProfile'>;
  /** Choose the language of the signed-in user: `PATCH /api/v1/auth/me`. */
  updateProfile: Method<'updateProfile'>;
  /** Say of which shop one asks to become the merchant: `PUT /api/v1/auth/me/application`. */
  sendApplication: Method<'sendApplication'>;
  /** Show of what the signed-in person is told by mail: `GET /api/v1/auth/me/notices`. */
  showNotices: Method<'showNotices'>;
  /** Change of what the signed-in person is told by mail: `PATCH /api/v1/auth/me/notices`. */
  changeNotices: Method<'changeNotices'>;
  /** Open the link in a mail that switches such mails off: `GET /api/v1/notices/stop`. */
  openStopLink: Method<'openStopLink'>;
  /** Switch off the mails of the kind in which a link was: `POST /api/v1/notices/stop`. */
  stopNotices: Method<'stopNotices'>;
  /** Have a browser told of points and of codes: `POST /api/v1/auth/me/push-subscriptions`. */
  addPushSubscription: Method<'addPushSubscription'>;
  /** Have a browser told of nothing any more: `DELETE /api/v1/auth/me/push-subscriptions/{pushSubscriptionId}`. */
  removePushSubscription: Method<'removePushSubscription'>;
  /** Show one of one’s own invites, whatever became of it: `GET /api/v1/auth/invites/{inviteId}`. */
  showInvite: Method<'showInvite'>;
  /** Accept an invite to work at a till: `POST /api/v1/auth/invites/{inviteId}/accept`. */
  acceptInvite: Method<'acceptInvite'>;
  /** Decline an invite to work at a till: `POST /api/v1/auth/invites/{inviteId}/decline`. */
  declineInvite: Method<'declineInvite'>;
  /** List your wallets, one for each tenant: `GET /api/v1/consumer/wallets`. */
  listWallets: Method<'listWallets'>;
  /** Join a shop: open a wallet there before the first purchase: `POST /api/v1/consumer/wallets`. */
  joinShop: Method<'joinShop'>;
  /** Show a shop that you may join: `GET /api/v1/consumer/shops/{tenantId}`. */
  showJoinableShop: Method<'showJoinableShop'>;
  /** Show your member number: `GET /api/v1/consumer/member`. */
  showMemberCard: Method<'showMemberCard'>;
  /** Replace your member number: `POST /api/v1/consumer/member/rotate`. */
  rotateMemberNumber: Method<'rotateMemberNumber'>;
  /** Show one of your wallets: `GET /api/v1/consumer/wallets/{walletId}`. */
  showWallet: Method<'showWallet'>;
  /** List the ledger entries of one of your wallets, newest first: `GET /api/v1/consumer/wallets/{walletId}/history`. */
  listWalletHistory: Method<'listWalletHistory'>;
  /** Explain a ledger entry of one of your wallets: `GET /api/v1/consumer/wallets/{walletId}/history/{entryId}/explain`. */
  explainHistoryEntry: Method<'explainHistoryEntry'>;
  /** Download what is held about you: `GET /api/v1/consumer/export`. */
  exportOwnData: Method<'exportOwnData'>;
  /** Have everything erased that says who you are: `POST /api/v1/consumer/erasure`. */
  requestErasure: Method<'requestErasure'>;
  /** Show when you will be erased: `GET /api/v1/consumer/erasure`. */
  showErasure: Method<'showErasure'>;
  /** Withdraw your erasure, until it begins: `DELETE /api/v1/consumer/erasure`. */
  withdrawErasure: Method<'withdrawErasure'>;
  /** Get a proof of the history of one of your wallets: `GET /api/v1/consumer/wallets/{walletId}/proof`. */
  proveWallet: Method<'proveWallet'>;
  /** Show what governs the points of one of your wallets: `GET /api/v1/consumer/wallets/{walletId}/programme`. */
  showWalletProgramme: Method<'showWalletProgramme'>;
  /** List what a shop offers for points, by price: `GET /api/v1/consumer/wallets/{walletId}/rewards`. */
  listWalletRewards: Method<'listWalletRewards'>;
  /** Redeem points for a reward: `POST /api/v1/consumer/wallets/{walletId}/rewards/{rewardId}/redeem`. */
  redeemReward: Method<'redeemReward'>;
  /** Show until when the points of one of your wallets can be used: `GET /api/v1/consumer/wallets/{walletId}/validity`. */
  showWalletValidity: Method<'showWalletValidity'>;
  /** Preview a redemption of points: `POST /api/v1/consumer/wallets/{walletId}/redeem/preview`. */
  previewRedemption: Method<'previewRedemption'>;
  /** Redeem points for a code: `POST /api/v1/consumer/wallets/{walletId}/redeem/confirm`. */
  confirmRedemption: Method<'confirmRedemption'>;
  /** List your redemptions, newest first: `GET /api/v1/consumer/redemptions`. */
  listRedemptions: Method<'listRedemptions'>;
  /** Show one of your redemptions: `GET /api/v1/consumer/redemptions/{redemptionId}`. */
  showRedemption: Method<'showRedemption'>;
  /** Cancel one of your redemptions: `POST /api/v1/consumer/redemptions/{redemptionId}/cancel`. */
  cancelRedemption: Method<'cancelRedemption'>;
  /** Create the merchant workspace if it is missing: `POST /api/v1/client/bootstrap-merchant-workspace`. */
  bootstrapWorkspace: Method<'bootstrapWorkspace'>;
  /** Show the tenant with its connection, its reward rule and its counts: `GET /api/v1/client/tenants/{tenantId}`. */
  showTenant: Method<'showTenant'>;
  /** Update the onboarding profile: `PATCH /api/v1/client/tenants/{tenantId}/onboarding`. */
  updateOnboarding: Method<'updateOnboarding'>;
  /** Upload the logo of the tenant: `POST /api/v1/client/tenants/{tenantId}/branding/logo`. */
  uploadLogo: Method<'uploadLogo'>;
  /** Remove the logo of the tenant: `DELETE /api/v1/client/tenants/{tenantId}/branding/logo`. */
  removeLogo: Method<'removeLogo'>;
  /** Set the color of the tenant: `PATCH /api/v1/client/tenants/{tenantId}/branding`. */
  updateBranding: Method<'updateBranding'>;
  /** List the connections to providers, newest first: `GET /api/v1/client/tenants/{tenantId}/pos-connections`. */
  listPosConnections: Method<'listPosConnections'>;
  /** Start to connect an account of alpha: `POST /api/v1/client/tenants/{tenantId}/pos-connections/alpha/connect`. */
  connectAlpha: Method<'connectAlpha'>;
  /** Start to connect an account of beta: `POST /api/v1/client/tenants/{tenantId}/pos-connections/beta/connect`. */
  connectBeta: Method<'connectBeta'>;
  /** Compare each day's sales with the provider's own list: `GET /api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth`. */
  listTruthDays: Method<'listTruthDays'>;
  /** Bring in the sales of a day that are missing: `POST /api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}/truth/{day}/repair`. */
  repairDay: Method<'repairDay'>;
  /** Disconnect an account of a provider: `DELETE /api/v1/client/tenants/{tenantId}/pos-connections/{connectionId}`. */
  disconnectPos: Method<'disconnectPos'>;
  /** List the reward rules of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/reward-rules`. */
  listRewardRules: Method<'listRewardRules'>;
  /** Publish a reward rule: `POST /api/v1/client/tenants/{tenantId}/reward-rules`. */
  publishRewardRule: Method<'publishRewardRule'>;
  /** List the versions of the programme of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/programme`. */
  listProgrammeVersions: Method<'listProgrammeVersions'>;
  /** Publish a version of the programme: `POST /api/v1/client/tenants/{tenantId}/programme`. */
  publishProgramme: Method<'publishProgramme'>;
  /** List the campaigns of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/campaigns`. */
  listCampaigns: Method<'listCampaigns'>;
  /** Publish a campaign: `POST /api/v1/client/tenants/{tenantId}/campaigns`. */
  publishCampaign: Method<'publishCampaign'>;
  /** Show a campaign, with what it has given: `GET /api/v1/client/tenants/{tenantId}/campaigns/{campaignId}`. */
  showCampaign: Method<'showCampaign'>;
  /** End a campaign: `POST /api/v1/client/tenants/{tenantId}/campaigns/{campaignId}/end`. */
  endCampaign: Method<'endCampaign'>;
  /** List the rewards of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/rewards`. */
  listRewards: Method<'listRewards'>;
  /** Publish a reward: `POST /api/v1/client/tenants/{tenantId}/rewards`. */
  publishReward: Method<'publishReward'>;
  /** End a reward: `POST /api/v1/client/tenants/{tenantId}/rewards/{rewardId}/end`. */
  endReward: Method<'endReward'>;
  /** Rehearse a rule over sales of the past: `POST /api/v1/client/tenants/{tenantId}/rehearsals`. */
  beginRehearsal: Method<'beginRehearsal'>;
  /** List the rehearsals of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/rehearsals`. */
  listRehearsals: Method<'listRehearsals'>;
  /** Show what a rehearsal found: `GET /api/v1/client/tenants/{tenantId}/rehearsals/{rehearsalId}`. */
  showRehearsal: Method<'showRehearsal'>;
  /** Upload members with their points of before: `POST /api/v1/client/tenants/{tenantId}/imports`. */
  uploadImport: Method<'uploadImport'>;
  /** List the imports of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/imports`. */
  listImports: Method<'listImports'>;
  /** Show an import, and how far it is: `GET /api/v1/client/tenants/{tenantId}/imports/{importId}`. */
  showImport: Method<'showImport'>;
  /** Withdraw an import that is not approved yet: `DELETE /api/v1/client/tenants/{tenantId}/imports/{importId}`. */
  withdrawImport: Method<'withdrawImport'>;
  /** List the store operators of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/store-operators`. */
  listStoreOperators: Method<'listStoreOperators'>;
  /** Remove a store operator: `DELETE /api/v1/client/tenants/{tenantId}/store-operators/{userId}`. */
  removeStoreOperator: Method<'removeStoreOperator'>;
  /** Attach an anonymous sale of the last 30 days to a customer, by the member number: `POST /api/v1/client/tenants/{tenantId}/attachments`. */
  attachSaleByMerchant: Method<'attachSaleByMerchant'>;
  /** List the sales that were attached to customers, those attached last first: `GET /api/v1/client/tenants/{tenantId}/attachments`. */
  listAttachments: Method<'listAttachments'>;
  /** Invite a store operator by e-mail: `POST /api/v1/client/tenants/{tenantId}/store-operator-invites`. */
  inviteStoreOperator: Method<'inviteStoreOperator'>;
  /** List the pending invites of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/store-operator-invites`. */
  listStoreOperatorInvites: Method<'listStoreOperatorInvites'>;
  /** Withdraw a pending invite: `DELETE /api/v1/client/tenants/{tenantId}/store-operator-invites/{inviteId}`. */
  withdrawStoreOperatorInvite: Method<'withdrawStoreOperatorInvite'>;
  /** List the ingested payments of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/transactions`. */
  listTransactions: Method<'listTransactions'>;
  /** Explain what a payment earned, or why it earned nothing: `GET /api/v1/client/tenants/{tenantId}/transactions/{transactionId}/explain`. */
  explainTransaction: Method<'explainTransaction'>;
  /** List the redemptions of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/redemptions`. */
  listTenantRedemptions: Method<'listTenantRedemptions'>;
  /** Show sales and points by day, week or month, and the outstanding points: `GET /api/v1/client/tenants/{tenantId}/statistics`. */
  showStatistics: Method<'showStatistics'>;
  /** Show what was done at the tills of the tenant on a day, by person: `GET /api/v1/client/tenants/{tenantId}/day`. */
  showShopDay: Method<'showShopDay'>;
  /** Show what the tenant owed its consumers in points after a month: `GET /api/v1/client/tenants/{tenantId}/liability`. */
  showLiability: Method<'showLiability'>;
  /** List the consumers of the tenant, newest wallet first: `GET /api/v1/client/tenants/{tenantId}/consumers`. */
  listConsumers: Method<'listConsumers'>;
  /** Show a consumer of the tenant with wallet, latest transactions and redemptions: `GET /api/v1/client/tenants/{tenantId}/consumers/{userId}`. */
  showConsumer: Method<'showConsumer'>;
  /** Find a customer, a sale or a code by what somebody says: `POST /api/v1/client/tenants/{tenantId}/search`. */
  searchShop: Method<'searchShop'>;
  /** Show a payment: `GET /api/v1/client/tenants/{tenantId}/transactions/{transactionId}`. */
  showTransaction: Method<'showTransaction'>;
  /** Show a redemption of the tenant: `GET /api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}`. */
  showTenantRedemption: Method<'showTenantRedemption'>;
  /** List what moved the points of a consumer at the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/consumers/{userId}/history`. */
  listConsumerHistory: Method<'listConsumerHistory'>;
  /** Send the mail with an open code again: `POST /api/v1/client/tenants/{tenantId}/redemptions/{redemptionId}/mail`. */
  resendCode: Method<'resendCode'>;
  /** Ask for points for a customer: `POST /api/v1/client/tenants/{tenantId}/consumers/{userId}/goodwill-requests`. */
  askForGoodwill: Method<'askForGoodwill'>;
  /** List the points that were asked for, newest first: `GET /api/v1/client/tenants/{tenantId}/goodwill-requests`. */
  listGoodwill: Method<'listGoodwill'>;
  /** Withdraw a request for points: `POST /api/v1/client/tenants/{tenantId}/goodwill-requests/{goodwillId}/withdraw`. */
  withdrawGoodwill: Method<'withdrawGoodwill'>;
  /** Sum up the list of payments by the same filters: `GET /api/v1/client/tenants/{tenantId}/totals/transactions`. */
  sumTransactions: Method<'sumTransactions'>;
  /** Sum up the list of redemptions by the same filters: `GET /api/v1/client/tenants/{tenantId}/totals/redemptions`. */
  sumTenantRedemptions: Method<'sumTenantRedemptions'>;
  /** Count the list of consumers by the same filters, and sum up their points: `GET /api/v1/client/tenants/{tenantId}/totals/consumers`. */
  sumConsumers: Method<'sumConsumers'>;
  /** List what was done in the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/audit-logs`. */
  listTenantAuditLogs: Method<'listTenantAuditLogs'>;
  /** Show the configuration of alpha, without its secrets: `GET /api/v1/client/debug/alpha`. */
  showAlphaSetup: Method<'showAlphaSetup'>;
  /** Have events sent to an address: `POST /api/v1/client/tenants/{tenantId}/webhook-endpoints`. */
  createWebhookEndpoint: Method<'createWebhookEndpoint'>;
  /** List the addresses that get events, oldest first: `GET /api/v1/client/tenants/{tenantId}/webhook-endpoints`. */
  listWebhookEndpoints: Method<'listWebhookEndpoints'>;
  /** Show an address that gets events: `GET /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}`. */
  showWebhookEndpoint: Method<'showWebhookEndpoint'>;
  /** Change an address that gets events, or disable it: `PATCH /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}`. */
  updateWebhookEndpoint: Method<'updateWebhookEndpoint'>;
  /** Have no more events sent to an address: `DELETE /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}`. */
  deleteWebhookEndpoint: Method<'deleteWebhookEndpoint'>;
  /** Give an address a new secret: `POST /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/rotate-secret`. */
  rotateWebhookSecret: Method<'rotateWebhookSecret'>;
  /** Send a test to an address: `POST /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/test`. */
  testWebhookEndpoint: Method<'testWebhookEndpoint'>;
  /** List what was sent to an address, newest first: `GET /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries`. */
  listWebhookDeliveries: Method<'listWebhookDeliveries'>;
  /** Send an event to an address again: `POST /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay`. */
  replayWebhookDelivery: Method<'replayWebhookDelivery'>;
  /** List the events of the last 30 days, oldest first: `GET /api/v1/client/tenants/{tenantId}/events`. */
  listTenantEvents: Method<'listTenantEvents'>;
  /** Show the shop of the operator: `GET /api/v1/pos/context`. */
  showOperatorContext: Method<'showOperatorContext'>;
  /** Look up a redemption code without using it: `POST /api/v1/pos/redemptions/lookup`. */
  lookupRedemption: Method<'lookupRedemption'>;
  /** Look up a customer by the member number: `POST /api/v1/pos/members/lookup`. */
  lookupMember: Method<'lookupMember'>;
  /** Find the sale of a receipt that named no customer: `GET /api/v1/pos/anonymous-sales`. */
  findAnonymousSales: Method<'findAnonymousSales'>;
  /** Attach a sale of the last 24 hours to a customer, by the member number: `POST /api/v1/pos/anonymous-sales/{transactionId}/attach`. */
  attachSaleAtTill: Method<'attachSaleAtTill'>;
  /** Use a redemption code: `POST /api/v1/pos/redemptions/complete`. */
  completeRedemption: Method<'completeRedemption'>;
  /** List the codes that the shop has used, last used first: `GET /api/v1/pos/redemptions`. */
  listUsedRedemptions: Method<'listUsedRedemptions'>;
  /** Show what was done at the tills of the shop on a day, by person: `GET /api/v1/pos/day`. */
  showTillDay: Method<'showTillDay'>;
  /** Stop working at a shop: `DELETE /api/v1/pos/membership/{tenantId}`. */
  leaveShop: Method<'leaveShop'>;
  /** Show what is wrong with the service, and at which tenants: `GET /api/v1/admin/health`. */
  showServiceHealth: Method<'showServiceHealth'>;
  /** List all tenants: those that need attention first, then the newest: `GET /api/v1/admin/tenants`. */
  listTenants: Method<'listTenants'>;
  /** Show a tenant with its owner, its latest payment and its latest error: `GET /api/v1/admin/tenants/{tenantId}`. */
  showTenantDetail: Method<'showTenantDetail'>;
  /** List the wallets of a user, one for each tenant: `GET /api/v1/admin/wallets`. */
  listUserWallets: Method<'listUserWallets'>;
  /** Show a wallet of any user: `GET /api/v1/admin/wallets/{walletId}`. */
  showUserWallet: Method<'showUserWallet'>;
  /** List the ledger entries of a wallet, newest first: `GET /api/v1/admin/wallets/{walletId}/history`. */
  listUserWalletHistory: Method<'listUserWalletHistory'>;
  /** Freeze a wallet: `POST /api/v1/admin/wallets/{walletId}/freeze`. */
  freezeWallet: Method<'freezeWallet'>;
  /** Unfreeze a wallet: `POST /api/v1/admin/wallets/{walletId}/unfreeze`. */
  unfreezeWallet: Method<'unfreezeWallet'>;
  /** Adjust the balance of a wallet by hand: `POST /api/v1/admin/wallets/{walletId}/adjust`. */
  adjustWallet: Method<'adjustWallet'>;
  /** List the points that merchants ask for, the longest waiting first: `GET /api/v1/admin/goodwill-requests`. */
  listWaitingGoodwill: Method<'listWaitingGoodwill'>;
  /** Grant points that a merchant asked for: `POST /api/v1/admin/goodwill-requests/{goodwillId}/grant`. */
  grantGoodwill: Method<'grantGoodwill'>;
  /** Decline points that a merchant asked for: `POST /api/v1/admin/goodwill-requests/{goodwillId}/decline`. */
  declineGoodwill: Method<'declineGoodwill'>;
  /** List the imports of all shops, newest first: `GET /api/v1/admin/imports`. */
  listAllImports: Method<'listAllImports'>;
  /** Approve an import: `POST /api/v1/admin/imports/{importId}/approve`. */
  approveImport: Method<'approveImport'>;
  /** Take an import back: `POST /api/v1/admin/imports/{importId}/revert`. */
  revertImport: Method<'revertImport'>;
  /** List the audit log, newest first: `GET /api/v1/admin/audit-logs`. */
  listAuditLogs: Method<'listAuditLogs'>;
  /** Search users by part of their e-mail or phone: `GET /api/v1/admin/users/search`. */
  searchUsers: Method<'searchUsers'>;
  /** Find what an id or a code is of: `GET /api/v1/admin/search`. */
  searchIds: Method<'searchIds'>;
  /** Show a user with wallets and memberships: `GET /api/v1/admin/users/{userId}`. */
  showUser: Method<'showUser'>;
  /** Approve a pending user: `PATCH /api/v1/admin/users/{userId}/approve`. */
  approveUser: Method<'approveUser'>;
  /** Set a user's role: `PATCH /api/v1/admin/users/{userId}/role`. */
  setUserRole: Method<'setUserRole'>;
  /** Suspend a user: `POST /api/v1/admin/users/{userId}/suspend`. */
  suspendUser: Method<'suspendUser'>;
  /** Lift the suspension of a user: `POST /api/v1/admin/users/{userId}/reinstate`. */
  reinstateUser: Method<'reinstateUser'>;
  /** Have a person erased: everything that says who they are: `POST /api/v1/admin/users/{userId}/erase`. */
  eraseUser: Method<'eraseUser'>;
  /** Withdraw the erasure of a person, until it begins: `DELETE /api/v1/admin/users/{userId}/erase`. */
  withdrawErasureOf: Method<'withdrawErasureOf'>;
  /** Suspend a shop: `POST /api/v1/admin/tenants/{tenantId}/suspend`. */
  suspendTenant: Method<'suspendTenant'>;
  /** Lift the suspension of a shop: `POST /api/v1/admin/tenants/{tenantId}/reinstate`. */
  reinstateTenant: Method<'reinstateTenant'>;
}

/** The lists, with all of their pages. */
export interface Lists {
  /** List the ledger entries of one of your wallets, newest first: `GET /api/v1/consumer/wallets/{walletId}/history`. */
  listWalletHistory: Listing<'listWalletHistory'>;
  /** List your redemptions, newest first: `GET /api/v1/consumer/redemptions`. */
  listRedemptions: Listing<'listRedemptions'>;
  /** List the connections to providers, newest first: `GET /api/v1/client/tenants/{tenantId}/pos-connections`. */
  listPosConnections: Listing<'listPosConnections'>;
  /** List the reward rules of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/reward-rules`. */
  listRewardRules: Listing<'listRewardRules'>;
  /** List the versions of the programme of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/programme`. */
  listProgrammeVersions: Listing<'listProgrammeVersions'>;
  /** List the campaigns of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/campaigns`. */
  listCampaigns: Listing<'listCampaigns'>;
  /** List the rewards of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/rewards`. */
  listRewards: Listing<'listRewards'>;
  /** List the rehearsals of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/rehearsals`. */
  listRehearsals: Listing<'listRehearsals'>;
  /** List the imports of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/imports`. */
  listImports: Listing<'listImports'>;
  /** List the store operators of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/store-operators`. */
  listStoreOperators: Listing<'listStoreOperators'>;
  /** List the sales that were attached to customers, those attached last first: `GET /api/v1/client/tenants/{tenantId}/attachments`. */
  listAttachments: Listing<'listAttachments'>;
  /** List the pending invites of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/store-operator-invites`. */
  listStoreOperatorInvites: Listing<'listStoreOperatorInvites'>;
  /** List the ingested payments of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/transactions`. */
  listTransactions: Listing<'listTransactions'>;
  /** List the redemptions of the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/redemptions`. */
  listTenantRedemptions: Listing<'listTenantRedemptions'>;
  /** List the consumers of the tenant, newest wallet first: `GET /api/v1/client/tenants/{tenantId}/consumers`. */
  listConsumers: Listing<'listConsumers'>;
  /** List what moved the points of a consumer at the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/consumers/{userId}/history`. */
  listConsumerHistory: Listing<'listConsumerHistory'>;
  /** List the points that were asked for, newest first: `GET /api/v1/client/tenants/{tenantId}/goodwill-requests`. */
  listGoodwill: Listing<'listGoodwill'>;
  /** List what was done in the tenant, newest first: `GET /api/v1/client/tenants/{tenantId}/audit-logs`. */
  listTenantAuditLogs: Listing<'listTenantAuditLogs'>;
  /** List what was sent to an address, newest first: `GET /api/v1/client/tenants/{tenantId}/webhook-endpoints/{endpointId}/deliveries`. */
  listWebhookDeliveries: Listing<'listWebhookDeliveries'>;
  /** List the events of the last 30 days, oldest first: `GET /api/v1/client/tenants/{tenantId}/events`. */
  listTenantEvents: Listing<'listTenantEvents'>;
  /** List the codes that the shop has used, last used first: `GET /api/v1/pos/redemptions`. */
  listUsedRedemptions: Listing<'listUsedRedemptions'>;
  /** List all tenants: those that need attention first, then the newest: `GET /api/v1/admin/tenants`. */
  listTenants: Listing<'listTenants'>;
  /** List the ledger entries of a wallet, newest first: `GET /api/v1/admin/wallets/{walletId}/history`. */
  listUserWalletHistory: Listing<'listUserWalletHistory'>;
  /** List the points that merchants ask for, the longest waiting first: `GET /api/v1/admin/goodwill-requests`. */
  listWaitingGoodwill: Listing<'listWaitingGoodwill'>;
  /** List the imports of all shops, newest first: `GET /api/v1/admin/imports`. */
  listAllImports: Listing<'listAllImports'>;
  /** List the audit log, newest first: `GET /api/v1/admin/audit-logs`. */
  listAuditLogs: Listing<'listAuditLogs'>;
}
