import { acceptedUntil } from '../../../gateways/identity/token-end.ts';
import { eventStream } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import { RedemptionSchema, redemptionExample } from '../../resources/redemption.ts';
import { RESET_EVENT, STREAM_DESCRIPTION } from '../../resources/stream.ts';
import { WalletSchema, walletExample } from '../../resources/wallet.ts';

const access = 'WALLET_VIEW_OWN';

export const followOwnEvents = route({
  method: 'GET',
  path: '/consumer/events',
  access,
  tag: 'Consumer',
  summary: 'Follow your wallets and redemptions as they change',
  description:
    'Sends a wallet when its balance, debt or status has changed, and a redemption when its code ' +
    `was issued, used or cancelled, or has expired. ${STREAM_DESCRIPTION}`,
  events: {
    wallet: { data: WalletSchema, example: walletExample },
    redemption: { data: RedemptionSchema, example: redemptionExample },
    reset: RESET_EVENT,
  },

  async handle({ user, headers, streams, correlationId }) {
    const stream = await streams.open({
      user,
      permission: access,
      expiresAt: acceptedUntil(headers.authorization),
      lastEventId: headers['last-event-id']?.toString() || undefined,
      correlationId,
    });
    return eventStream(stream);
  },
});
