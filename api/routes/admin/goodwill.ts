import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import * as goodwill from '../../../db/goodwill.ts';
import { sumAdjusted } from '../../../db/ledger/adjusted.ts';
import { Reason } from '../../../domain/adjustment.ts';
import { requireAnother, requireOpen } from '../../../domain/goodwill.ts';
import { GoodwillId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import {
  WaitingGoodwillSchema,
  waitingGoodwillExample,
  waitingGoodwillOf,
} from '../../resources/goodwill.ts';
import { adjustByHand } from './adjusting.ts';
import { AdjustmentSchema, adjustmentExample } from './wallets.ts';

/** Where a page starts: after a request. */
const Position = z.tuple([z.literal('goodwill'), GoodwillId]);

export const listWaitingGoodwill = route({
  method: 'GET',
  path: '/admin/goodwill-requests',
  access: 'ADMIN_WALLET_ADJUST',
  tag: 'Admin',
  summary: 'List the points that merchants ask for, the longest waiting first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(WaitingGoodwillSchema),
  examples: { response: [waitingGoodwillExample] },

  handle({ query, db }) {
    const after = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => goodwill.listWaiting(db, { limit, after }),
      show: waitingGoodwillOf,
      position: ({ id }) => ['goodwill', id],
    });
  },
});

/** What the audit log has as the reason; the merchant's is in the request, which can be emptied. */
const REASON = 'goodwill';

export const grantGoodwill = route({
  method: 'POST',
  path: '/admin/goodwill-requests/:goodwillId/grant',
  access: 'ADMIN_WALLET_ADJUST',
  idempotent: true,
  tag: 'Admin',
  summary: 'Grant points that a merchant asked for',
  description:
    'Adjusts the wallet by these points, with the limits of an adjustment; its audit log entry ' +
    'names the request. It is answered once. Refused to whoever asked.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['own_wallet', 'limit_per_day', 'erased', 'goodwill_state'],
  response: AdjustmentSchema,
  examples: { response: adjustmentExample },

  async handle({ params: { goodwillId }, ...request }) {
    const { tx, user } = request;
    // Before the request's lock, because it may wait for another request of this administrator.
    const adjusted = await sumAdjusted(tx, user.id);
    const asked = await goodwill.lock(tx, goodwillId);
    requireOpen(asked);
    requireAnother(user.id, asked);
    const { walletId, points } = asked;
    await goodwill.close(tx, goodwillId, { status: 'granted' });
    const by = { walletId, points, reason: REASON, goodwillId };
    return { ok: true as const, ...(await adjustByHand(request, by, adjusted)) };
  },
});

export const declineGoodwill = route({
  method: 'POST',
  path: '/admin/goodwill-requests/:goodwillId/decline',
  access: 'ADMIN_WALLET_ADJUST',
  idempotent: true,
  tag: 'Admin',
  summary: 'Decline points that a merchant asked for',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: ['goodwill_state'],
  body: z.object({ reason: Reason.describe('Why; the merchant reads it.') }),
  response: z.object({ ok: z.literal(true).describe('It is declined.') }),
  examples: { body: { reason: 'The sale was refunded, which is enough.' }, response: { ok: true } },

  async handle({ params: { goodwillId }, body: { reason: answer }, tx, ...request }) {
    const asked = await goodwill.lock(tx, goodwillId);
    requireOpen(asked);
    await goodwill.close(tx, goodwillId, { status: 'declined', answer });
    const { tenantId, walletId, points } = asked;
    await auditLog.insert(tx, {
      ...actingBy(request),
      action: 'goodwill.decline',
      targetType: 'wallet',
      targetId: walletId,
      tenantId,
      reason: null,
      before: {},
      after: { goodwillId, points },
    });
    return { ok: true as const };
  },
});
