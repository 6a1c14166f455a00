import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import type { Tx } from '../../../db/connection.ts';
import * as goodwill from '../../../db/goodwill.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import { requireNotErased } from '../../../db/users/members.ts';
import { Refusal } from '../../../domain/errors.ts';
import { GoodwillInput, requireAskable, requireOpen } from '../../../domain/goodwill.ts';
import { GoodwillId } from '../../../domain/ids.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { GoodwillSchema, goodwillAnswerOf, goodwillExample } from '../../resources/goodwill.ts';

export const askForGoodwill = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/consumers/:userId/goodwill-requests',
  access: 'TENANT_REWARD_CONFIG',
  status: 201,
  idempotent: true,
  tag: 'Merchant',
  summary: 'Ask for points for a customer',
  description:
    'Nothing is moved until an administrator grants it, by an adjustment. One request for a ' +
    'customer waits at a time, and twenty of the shop.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['own_wallet', 'erased', 'goodwill_open', 'too_many_goodwill'],
  body: GoodwillInput,
  response: GoodwillSchema,
  examples: {
    body: { points: goodwillExample.points, reason: goodwillExample.reason },
    response: goodwillExample,
  },

  async handle({ tenant, params: { userId }, body, user, tx, ...request }) {
    const consumer = await consumers.find(tx, tenant.id, userId);
    if (consumer === undefined) {
      throw new Refusal('NOT_FOUND', 'There is no such consumer here. Check the id.');
    }
    if (userId === user.id) {
      throw new Refusal('FORBIDDEN', 'This is your own wallet.', 'own_wallet');
    }
    await requireNotErased(tx, userId);
    await goodwill.lockShop(tx, tenant.id);
    const of = { tenantId: tenant.id, walletId: consumer.walletId };
    requireAskable(await goodwill.countOpen(tx, of));
    const id = await goodwill.insert(tx, { ...of, ...body, requestedBy: user.id });
    const asked = await goodwill.get(tx, tenant.id, id);
    await audit(tx, asked, { user, ...request, action: 'goodwill.ask' });
    return goodwillAnswerOf(asked);
  },
});

export const withdrawGoodwill = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/goodwill-requests/:goodwillId/withdraw',
  access: 'TENANT_REWARD_CONFIG',
  idempotent: true,
  tag: 'Merchant',
  summary: 'Withdraw a request for points',
  description: 'Repeating it changes nothing.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: ['goodwill_state'],
  response: GoodwillSchema,
  examples: {
    response: { ...goodwillExample, status: 'withdrawn', closedAt: goodwillExample.createdAt },
  },

  async handle({ tenant, params: { goodwillId }, tx, ...request }) {
    await goodwill.get(tx, tenant.id, goodwillId);
    const asked = await goodwill.lock(tx, goodwillId);
    if (asked.status === 'withdrawn') return goodwillAnswerOf(asked);
    requireOpen(asked);
    await goodwill.close(tx, goodwillId, { status: 'withdrawn' });
    await audit(tx, asked, { ...request, action: 'goodwill.withdraw' });
    return goodwillAnswerOf(await goodwill.get(tx, tenant.id, goodwillId));
  },
});

/** Where a page starts: below a request. */
const Position = z.tuple([z.literal('goodwill'), GoodwillId]);

export const listGoodwill = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/goodwill-requests',
  access: 'TENANT_CONSUMER_VIEW',
  tag: 'Merchant',
  summary: 'List the points that were asked for, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(GoodwillSchema),
  examples: { response: [goodwillExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => goodwill.list(db, tenant.id, { limit, before }),
      show: goodwillAnswerOf,
      position: ({ id }) => ['goodwill', id],
    });
  },
});

/** Records what a merchant did about a request. Its texts are in its row only, to be emptied. */
async function audit(
  tx: Tx,
  { id, tenantId, walletId, points }: goodwill.GoodwillRequest,
  { action, ...request }: ActingRequest & { action: 'goodwill.ask' | 'goodwill.withdraw' },
): Promise<void> {
  await auditLog.insert(tx, {
    ...actingBy(request),
    action,
    targetType: 'wallet',
    targetId: walletId,
    tenantId,
    reason: null,
    before: {},
    after: { goodwillId: id, points },
  });
}
