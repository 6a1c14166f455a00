import { z } from 'zod';
import { ENTRY_REASONS, type LedgerEntry, listOfWallet } from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { EntryId, TenantId, WalletId } from '../../../domain/ids.ts';
import type { ApiSettings } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/pagination.ts';
import { route } from '../../http/route.ts';
import { logoUrl } from '../objects.ts';

export const Wallet = z
  .object({
    id: WalletId,
    tenantId: TenantId,
    balance: z.int().describe('Points: the sum of the credits minus the sum of the debits.'),
    status: z.enum(['active', 'frozen']),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    tenant: z.object({
      id: TenantId,
      name: z.string(),
      branding: z.object({ logoUrl: z.url().nullable() }),
    }),
  })
  .meta({ id: 'Wallet' });

export const LedgerEntrySchema = z
  .object({
    id: EntryId,
    walletId: WalletId,
    entry_type: z.enum(['credit', 'debit']),
    points: z.int().positive(),
    balanceAfter: z.int(),
    reason: z.enum(ENTRY_REASONS),
    sourceType: z.enum(['payment', 'redemption', 'adjustment']),
    sourceId: z.uuid(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'LedgerEntry' });

export const walletExample = {
  id: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  balance: 1250,
  status: 'active',
  createdAt: '2026-01-15T10:00:00.000Z',
  updatedAt: '2026-01-15T10:00:02.000Z',
  tenant: {
    id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
    name: 'Corner Café',
    branding: { logoUrl: null },
  },
} as const;

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
} as const;

export const listOwnWallets = route({
  method: 'GET',
  path: '/consumer/wallets',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'List your wallets, one for each tenant',
  response: z.array(Wallet),
  examples: { response: [walletExample] },

  async handle({ user, db, settings }) {
    const own = await wallets.listOfUser(db, user.id);
    return own.map((wallet) => answerOf(wallet, settings));
  },
});

export const showOwnWallet = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'Show one of your wallets',
  refusals: ['NOT_FOUND'],
  response: Wallet,
  examples: { response: walletExample },

  async handle({ params, user, db, settings }) {
    return answerOf(await wallets.getOwned(db, params.walletId, user.id), settings);
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
  query: z.object({ limit: pageLimit(20), cursor: pageCursor(Position) }),
  response: z.array(LedgerEntrySchema),
  examples: { response: [entryExample] },

  async handle({ params, query, user, db }) {
    const wallet = await wallets.getOwned(db, params.walletId, user.id);
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listOfWallet(db, wallet.id, { limit, before }),
      show: entryAnswerOf,
      position: ({ seq }) => ['seq', String(seq)],
    });
  },
});

/** Returns a wallet as it is shown. */
export function answerOf(wallet: wallets.WalletView, settings: ApiSettings) {
  const branding = { logoUrl: logoUrl(settings, wallet.tenantLogoPath) };
  return {
    ...wallet,
    createdAt: wallet.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
    tenant: { id: wallet.tenantId, name: wallet.tenantName, branding },
  };
}

/** Returns a ledger entry as it is shown. */
export function entryAnswerOf(entry: LedgerEntry) {
  const { entryType, createdAt, ...rest } = entry;
  return { ...rest, entry_type: entryType, createdAt: createdAt.toISOString() };
}
