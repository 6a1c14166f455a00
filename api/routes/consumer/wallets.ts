import { z } from 'zod';
import { type ListedEntry, listOfWallet } from '../../../db/ledger/history.ts';
import { ENTRY_REASONS, SOURCE_TYPES } from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { EntryId, WalletId } from '../../../domain/ids.ts';
import { PROVIDERS } from '../../../domain/payment.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { TenantCurrency } from '../../resources/tenant-overview.ts';
import { WalletSchema, walletAnswerOf, walletExample } from '../../resources/wallet.ts';

/** One movement of the points of a wallet. */
export const LedgerEntrySchema = z
  .object({
    id: EntryId,
    walletId: WalletId,
    entry_type: z.enum(['credit', 'debit']),
    points: z.int().positive(),
    balanceAfter: z.int(),
    reason: z.enum(ENTRY_REASONS),
    sourceType: z.enum(SOURCE_TYPES),
    sourceId: z.uuid(),
    createdAt: z.iso.datetime(),
    sale: z
      .object({
        amountMinorUnits: z.int().describe('What was paid, without a tip.'),
        tipMinorUnits: z.int().describe('The tip, which earns nothing.'),
        refundedMinorUnits: z.int().describe('What was refunded of the amount so far.'),
        currency: z.string(),
        provider: z.enum(PROVIDERS),
        occurredAt: z.iso.datetime().describe('When the sale was, by its provider.'),
      })
      .nullable()
      .describe('The payment that moved the points; null when none did.'),
    discount: z
      .object({ discountValueMinorUnits: z.int(), currency: TenantCurrency })
      .nullable()
      .describe('What the code takes off that they were redeemed for; null without a code.'),
  })
  .meta({ id: 'LedgerEntry' });

export const entryExample = {
  id: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10',
  walletId: walletExample.id,
  entry_type: 'credit',
  points: 1250,
  balanceAfter: 1250,
  reason: 'purchase',
  sourceType: 'payment',
  sourceId: 'c8e5b1a2-90d4-4f7b-8a63-2e1f0d9c8b7a',
  createdAt: '2026-01-15T10:00:02.000Z',
  sale: {
    amountMinorUnits: 12500,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    currency: 'EUR',
    provider: PROVIDERS[0],
    occurredAt: '2026-01-15T09:59:58.000Z',
  },
  discount: null,
} as const;

export const listOwnWallets = route({
  method: 'GET',
  path: '/consumer/wallets',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'List your wallets, one for each tenant',
  response: z.array(WalletSchema),
  examples: { response: [walletExample] },

  async handle({ user, db, settings }) {
    const own = await wallets.listOfUser(db, user.id);
    return own.map((wallet) => walletAnswerOf(wallet, settings));
  },
});

export const showOwnWallet = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'Show one of your wallets',
  refusals: ['NOT_FOUND'],
  response: WalletSchema,
  examples: { response: walletExample },

  async handle({ params, user, db, settings }) {
    return walletAnswerOf(await wallets.getOwned(db, params.walletId, user.id), settings);
  },
});

/** Where a page starts: below a sequence number of the wallet. */
const Position = z.tuple([z.literal('seq'), z.coerce.number().pipe(z.int())]);

export const listOwnHistory = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/history',
  access: 'WALLET_HISTORY_OWN',
  tag: 'Consumer',
  summary: 'List the ledger entries of one of your wallets, newest first',
  refusals: ['NOT_FOUND'],
  query: z.object({
    sourceType: z
      .enum(SOURCE_TYPES)
      .optional()
      .describe('Only those of purchases, of codes, of corrections, or of expiry.'),
    limit: pageLimit(20),
    cursor: pageCursor(Position),
  }),
  response: z.array(LedgerEntrySchema),
  examples: { response: [entryExample] },

  async handle({ params, query: { sourceType, ...query }, user, db }) {
    const wallet = await wallets.getOwned(db, params.walletId, user.id);
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listOfWallet(db, wallet.id, { limit, before, sourceType }),
      show: entryAnswerOf,
      position: ({ seq }) => ['seq', String(seq)],
    });
  },
});

/** Builds what is shown of a ledger entry. */
export function entryAnswerOf({ entryType, createdAt, sale, ...rest }: ListedEntry) {
  return {
    ...rest,
    entry_type: entryType,
    createdAt: createdAt.toISOString(),
    sale: sale && { ...sale, occurredAt: sale.occurredAt.toISOString() },
  };
}
