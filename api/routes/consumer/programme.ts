import * as wallets from '../../../db/ledger/wallets.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import { NO_PROGRAMME } from '../../../domain/programme.ts';
import { route } from '../../http/route.ts';
import { ConsumerProgrammeSchema } from '../../resources/programme.ts';

export const showOwnProgramme = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/programme',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  tag: 'Consumer',
  summary: 'Show what governs the points of one of your wallets',
  description: 'Of a shop that has published no programme: points are valid for ever, none wait.',
  refusals: ['NOT_FOUND'],
  response: ConsumerProgrammeSchema,
  examples: { response: { validityMonths: 12, returnWindowDays: 14 } },

  async handle({ params, user, db }) {
    const { tenantId } = await wallets.getOwned(db, params.walletId, user.id);
    return (await programmes.findActive(db, tenantId)) ?? NO_PROGRAMME;
  },
});
