import { z } from 'zod';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import { requireNotErased } from '../../../db/users/members.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantId } from '../../../domain/ids.ts';
import { requireActiveShop } from '../../../domain/tenant-status.ts';
import { reply } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import { brandingOf } from '../../resources/branding.ts';
import { JoinableShopSchema, joinableShopExample } from '../../resources/joined-shop.ts';
import { WalletSchema, walletAnswerOf, walletExample } from '../../resources/wallet.ts';

export const joinShop = route({
  method: 'POST',
  path: '/consumer/wallets',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  status: 201,
  otherStatuses: { 200: 'You have one there already.' },
  idempotent: true,
  tag: 'Consumer',
  summary: 'Join a shop: open a wallet there before the first purchase',
  description:
    'Somebody whose e-mail or phone is verified, by which purchases are recognised. A shop that ' +
    'is suspended takes nobody in.',
  refusals: ['TENANT_NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['tenant_suspended', 'contact_unverified'],
  body: z.object({ tenantId: TenantId }),
  response: WalletSchema,
  examples: { body: { tenantId: walletExample.tenantId }, response: walletExample },

  async handle({ body: { tenantId }, user, tx, settings }) {
    const shop = await tenants.get(tx, tenantId);
    const owner = { userId: user.id, tenantId };
    const known = await wallets.findOfOwner(tx, owner);
    if (known !== undefined) return reply({ status: 200, body: walletAnswerOf(known, settings) });
    requireActiveShop(shop);
    if (!user.emailVerified && !user.phoneVerified) {
      const message =
        'Your purchases could not be recognised: neither your e-mail nor your phone is verified. ' +
        'Have one verified where you sign in.';
      throw new Refusal('RULE_REJECTED', message, 'contact_unverified');
    }
    await requireNotErased(tx, user.id);
    const walletId = await wallets.ensureOne(tx, owner);
    return walletAnswerOf(await wallets.getOwned(tx, walletId, user.id), settings);
  },
});

export const showJoinableShop = route({
  method: 'GET',
  path: '/consumer/shops/:tenantId',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  anyTenant: true,
  tag: 'Consumer',
  summary: 'Show a shop that you may join',
  description: 'What the page says to which the link on a shop’s poster leads.',
  response: JoinableShopSchema,
  examples: { response: joinableShopExample },

  async handle({ tenant, user, db, settings }) {
    const { id: tenantId, name } = tenant;
    const wallet = await wallets.findOfOwner(db, { userId: user.id, tenantId });
    const branding = brandingOf(settings, tenant);
    return { tenantId, name, branding, walletId: wallet?.id ?? null };
  },
});
