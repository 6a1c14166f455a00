import { declineGoodwill, grantGoodwill, listWaitingGoodwill } from './admin/goodwill.ts';
import { listConsumerHistory } from './client/consumers.ts';
import { askForGoodwill, listGoodwill, withdrawGoodwill } from './client/goodwill.ts';
import { resendCode, showTenantRedemption } from './client/redemptions.ts';
import { searchShop } from './client/search.ts';
import { showTransaction } from './client/transactions.ts';

/** The routes by which a merchant helps a customer, by the names of the operations. */
export const customerService = {
  searchShop,
  showTransaction,
  showTenantRedemption,
  listConsumerHistory,
  resendCode,
  askForGoodwill,
  listGoodwill,
  withdrawGoodwill,
};

/** What administrators answer of that, by the names of the operations. */
export const goodwillQueue = { listWaitingGoodwill, grantGoodwill, declineGoodwill };
