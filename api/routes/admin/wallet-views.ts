import { z } from 'zod';
import { listOfWallet } from '../../../db/ledger/history.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as userAdmin from '../../../db/users/admin.ts';
import { UserId } from '../../../domain/ids.ts';
import type { ApiSettings } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { WalletSchema, walletAnswerOf, walletExample } from '../../resources/wallet.ts';
import { entryAnswerOf, entryExample, LedgerEntrySchema } from '../consumer/wallets.ts';

/** A wallet as administrators see it. */
export const AdminWallet = WalletSchema.extend({
  userId: UserId.describe('Whose wallet it is.'),
}).meta({ id: 'AdminWallet' });

const OwnedWallet = AdminWallet.extend({
  owner: z
    .object({
      name: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
    })
    .describe('Who that is.'),
}).meta({ id: 'OwnedWallet' });

export const adminWalletExample = {
  ...walletExample,
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
} as const;

/** Lists the wallets of a user, as administrators see them. */
export async function walletsOf(
  { db, settings }: { db: Parameters<typeof wallets.listOfUser>[0]; settings: ApiSettings },
  userId: UserId,
) {
  const found = await wallets.listOfUser(db, userId);
  return found.map((wallet) => walletAnswerOf(wallet, settings));
}

export const listUserWallets = route({
  method: 'GET',
  path: '/admin/wallets',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'List the wallets of a user, one for each tenant',
  description: 'Oldest first. An unknown user has none.',
  query: z.object({ userId: UserId.describe('Whose wallets to list.') }),
  response: z.array(AdminWallet),
  examples: { query: { userId: adminWalletExample.userId }, response: [adminWalletExample] },

  handle: ({ query, ...deps }) => walletsOf(deps, query.userId),
});

export const showWallet = route({
  method: 'GET',
  path: '/admin/wallets/:walletId',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'Show a wallet of any user',
  refusals: ['NOT_FOUND'],
  response: OwnedWallet,
  examples: {
    response: {
      ...adminWalletExample,
      owner: { name: 'Ada Byron', email: 'ada@example.com', phone: null },
    },
  },

  async handle({ params, db, settings }) {
    const wallet = await wallets.get(db, params.walletId);
    const { name, email, phone } = await userAdmin.get(db, wallet.userId);
    return { ...walletAnswerOf(wallet, settings), owner: { name, email, phone } };
  },
});

/** Where a page starts: below a sequence number of the wallet. */
const Position = z.tuple([z.literal('seq'), z.coerce.number().pipe(z.int())]);

export const listWalletHistory = route({
  method: 'GET',
  path: '/admin/wallets/:walletId/history',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'List the ledger entries of a wallet, newest first',
  refusals: ['NOT_FOUND'],
  query: z.object({ limit: pageLimit(20), cursor: pageCursor(Position) }),
  response: z.array(LedgerEntrySchema),
  examples: { response: [entryExample] },

  async handle({ params, query, db }) {
    const wallet = await wallets.get(db, params.walletId);
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listOfWallet(db, wallet.id, { limit, before }),
      show: entryAnswerOf,
      position: ({ seq }) => ['seq', String(seq)],
    });
  },
});
