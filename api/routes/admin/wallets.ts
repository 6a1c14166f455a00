import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import type { Tx } from '../../../db/connection.ts';
import { sumAdjusted } from '../../../db/ledger/adjusted.ts';
import type * as wallets from '../../../db/ledger/wallets.ts';
import * as freezing from '../../../db/redemptions/freezing.ts';
import { erased } from '../../../db/users/members.ts';
import { AdjustmentInput, Reason } from '../../../domain/adjustment.ts';
import { EntryId, WalletId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import { type AfterCommit, route } from '../../http/route.ts';
import { adjustByHand } from './adjusting.ts';

const WalletStanding = z
  .object({ walletId: WalletId, status: z.enum(['active', 'frozen']) })
  .meta({ id: 'WalletStanding' });

/** What an adjustment is answered with. */
export const AdjustmentSchema = z
  .object({
    ok: z.literal(true),
    walletId: WalletId,
    balance: z
      .int()
      .describe('Points after the adjustment, and after what the wallet owed was taken from it.'),
    ledgerEntryId: EntryId.describe('The entry of the adjustment itself.'),
  })
  .meta({ id: 'Adjustment' });

const WithReason = z.object({
  reason: Reason.optional().describe('Why; kept in the audit log.'),
});

const walletId = '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21';
const reason = 'The customer asked for it.';

export const adjustmentExample = {
  ok: true,
  walletId,
  balance: 1300,
  ledgerEntryId: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10',
} as const;

export const freezeWallet = route({
  method: 'POST',
  path: '/admin/wallets/:walletId/freeze',
  access: 'ADMIN_WALLET_FREEZE',
  idempotent: true,
  tag: 'Admin',
  summary: 'Freeze a wallet',
  description:
    'No points can be redeemed from it until it is unfrozen, and its open codes are cancelled: ' +
    'their points return. Payments still credit it. A frozen wallet stays frozen. Each call is ' +
    'in the audit log.',
  refusals: ['NOT_FOUND'],
  body: WithReason,
  response: WalletStanding,
  examples: { body: { reason }, response: { walletId, status: 'frozen' } },

  async handle({ tx, params, body, ...request }) {
    const changed = await freezing.freeze(tx, params.walletId);
    return record(tx, 'frozen', { ...request, ...body, changed, acting: actingBy(request) });
  },
});

export const unfreezeWallet = route({
  method: 'POST',
  path: '/admin/wallets/:walletId/unfreeze',
  access: 'ADMIN_WALLET_FREEZE',
  idempotent: true,
  tag: 'Admin',
  summary: 'Unfreeze a wallet',
  description:
    'No code comes back. A wallet that is not frozen stays active. Each call is in the audit log.',
  refusals: ['NOT_FOUND', 'FORBIDDEN'],
  issues: ['erased'],
  body: WithReason,
  response: WalletStanding,
  examples: { body: { reason }, response: { walletId, status: 'active' } },

  async handle({ tx, params, body, ...request }) {
    const changed = await freezing.unfreeze(tx, params.walletId);
    if (changed.closedAt !== null) throw erased();
    return record(tx, 'active', { ...request, ...body, changed, acting: actingBy(request) });
  },
});

export const adjustWallet = route({
  method: 'POST',
  path: '/admin/wallets/:walletId/adjust',
  access: 'ADMIN_WALLET_ADJUST',
  idempotent: true,
  tag: 'Admin',
  summary: 'Adjust the balance of a wallet by hand',
  description:
    'Writes a ledger entry and an audit log entry that refer to each other. A frozen wallet can ' +
    "be adjusted too, but not one's own. Credits and debits of an administrator are each limited " +
    'to a sum in 24 hours. A credit first pays what the wallet owes for refunds, so this is how ' +
    'such a debt is forgiven. Repeat a request only under the same Idempotency-Key, or the ' +
    'balance is adjusted twice.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'RULE_REJECTED'],
  issues: ['own_wallet', 'limit_per_day', 'insufficient_balance', 'erased'],
  body: AdjustmentInput,
  response: AdjustmentSchema,
  examples: {
    body: { points: 50, reason: 'A receipt had been left out.' },
    response: adjustmentExample,
  },

  async handle({ params, body, ...request }) {
    // Before the wallet's lock, because it may wait for another request of this administrator.
    const adjusted = await sumAdjusted(request.tx, request.user.id);
    return {
      ok: true as const,
      ...(await adjustByHand(request, { ...params, ...body }, adjusted)),
    };
  },
});

async function record(
  tx: Tx,
  after: wallets.WalletStatus,
  request: {
    changed: freezing.Changed;
    reason?: string | undefined;
    acting: auditLog.Acting;
    afterCommit: AfterCommit;
  } & Pick<Deps, 'announce' | 'metrics'>,
) {
  const { changed, afterCommit, announce, metrics } = request;
  const { id: walletId, tenantId, userId, cancelledCodes } = changed;
  await auditLog.insert(tx, {
    ...request.acting,
    action: after === 'frozen' ? 'wallet.freeze' : 'wallet.unfreeze',
    targetType: 'wallet',
    targetId: walletId,
    tenantId,
    reason: request.reason ?? null,
    before: { status: changed.status },
    after: { status: after, cancelledCodes },
  });
  afterCommit(() => metrics.codesExpired(cancelledCodes, 'returned'));
  afterCommit(() => announce({ userIds: [userId] }));
  return { walletId, status: after };
}
