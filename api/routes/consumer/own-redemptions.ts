import { z } from 'zod';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import { RedemptionId, WalletId } from '../../../domain/ids.ts';
import { REDEMPTION_STATUSES, refusalOfClosed } from '../../../domain/redemption.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import {
  RedemptionSchema,
  redemptionAnswerOf,
  redemptionExample,
} from '../../resources/redemption.ts';

/** Where a page starts: after a redemption. */
const Position = z.tuple([z.literal('redemption'), RedemptionId]);

export const listOwnRedemptions = route({
  method: 'GET',
  path: '/consumer/redemptions',
  access: 'WALLET_HISTORY_OWN',
  tag: 'Consumer',
  summary: 'List your redemptions, newest first',
  description: 'Of all your wallets, or of one. Of a wallet that is not yours there are none.',
  query: z.object({
    status: z.enum(REDEMPTION_STATUSES).optional().describe('Only those with this status now.'),
    walletId: WalletId.optional().describe('Only those of this wallet.'),
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(RedemptionSchema),
  examples: { response: [redemptionExample] },

  handle({ query, user, db, codes, log }) {
    const { status, walletId, cursor } = query;
    const after = cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listing.listOfUser(db, user.id, { limit, after, status, walletId }),
      show: (redemption) => redemptionAnswerOf(redemption, { codes, log }),
      position: ({ id }) => ['redemption', id],
    });
  },
});

export const showOwnRedemption = route({
  method: 'GET',
  path: '/consumer/redemptions/:redemptionId',
  access: 'WALLET_HISTORY_OWN',
  tag: 'Consumer',
  summary: 'Show one of your redemptions',
  refusals: ['NOT_FOUND'],
  response: RedemptionSchema,
  examples: { response: redemptionExample },

  async handle({ params, user, db, codes, log }) {
    const redemption = await listing.getOwned(db, user.id, params.redemptionId);
    return redemptionAnswerOf(redemption, { codes, log });
  },
});

export const cancelRedemption = route({
  method: 'POST',
  path: '/consumer/redemptions/:redemptionId/cancel',
  access: 'WALLET_REDEEM',
  idempotent: true,
  tag: 'Consumer',
  summary: 'Cancel one of your redemptions',
  description:
    'Its code cannot be used any more, and its points return to the wallet at once. Refused ' +
    'with `code_used`, `code_expired` or `code_cancelled` once the code is closed. If a till ' +
    'completes the code at the same moment, one of both succeeds.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: ['code_used', 'code_expired', 'code_cancelled'],
  response: RedemptionSchema,
  examples: { response: { ...redemptionExample, status: 'expired', cancelled: true, code: null } },

  async handle({ params: { redemptionId: id }, user, tx, afterCommit, ...deps }) {
    const { metrics, announce } = deps;
    const isCancelled = await lifecycle.cancel(tx, { id, userId: user.id });
    const redemption = await listing.getOwned(tx, user.id, id);
    if (!isCancelled) throw refusalOfClosed(redemption, 'Redeem points again for a new one.');
    afterCommit(() => metrics.codesExpired(1, 'returned'));
    afterCommit(() => announce({ userIds: [user.id] }));
    return redemptionAnswerOf(redemption, deps);
  },
});
