import { requireActiveShop } from '../../../domain/tenant-status.ts';
import { acceptedUntil } from '../../../gateways/identity/token-end.ts';
import { eventStream } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import { UsedRedemptionSchema, usedRedemptionExample } from '../../resources/redemption.ts';
import { RESET_EVENT, STREAM_DESCRIPTION } from '../../resources/stream.ts';

const access = 'REDEMPTION_VERIFY';

export const followShopEvents = route({
  method: 'GET',
  path: '/pos/events',
  access,
  shop: 'named',
  tag: 'Operator',
  summary: 'Follow the codes that are used in the shop',
  refusals: ['FORBIDDEN'],
  issues: ['tenant_suspended'],
  description: `Sends a redemption when its code was used at any till. ${STREAM_DESCRIPTION}`,
  events: {
    redemption: { data: UsedRedemptionSchema, example: usedRedemptionExample },
    reset: RESET_EVENT,
  },

  async handle({ user, tenant, headers, streams, correlationId }) {
    requireActiveShop(tenant);
    const stream = await streams.open({
      user,
      permission: access,
      shopId: tenant.id,
      expiresAt: acceptedUntil(headers.authorization),
      lastEventId: headers['last-event-id']?.toString() || undefined,
      correlationId,
    });
    return eventStream(stream);
  },
});
