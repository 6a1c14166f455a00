import type { Route } from '../route.ts';
import { showOwnProfile } from './auth.ts';
import { listRewardRules, publishRewardRule } from './client/reward-rules.ts';
import { listOwnHistory, listOwnWallets, showOwnWallet } from './consumer/wallets.ts';
import { docsRoutes } from './docs.ts';
import { showHealth, showReadiness, showService } from './service.ts';
import { receiveAlphaEvent } from './webhooks.ts';

const api: Route[] = [
  showService,
  showHealth,
  showReadiness,

  showOwnProfile,

  listOwnWallets,
  showOwnWallet,
  listOwnHistory,

  listRewardRules,
  publishRewardRule,

  receiveAlphaEvent,
];

/** The whole API on one screen. */
export const routes: readonly Route[] = [...api, ...docsRoutes(api)];
