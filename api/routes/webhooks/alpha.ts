import { z } from 'zod';
import { newId } from '../../../db/new-id.ts';
import { Refusal } from '../../../domain/errors.ts';
import { EventId } from '../../../domain/ids.ts';
import { readAlphaEnvelope } from '../../../gateways/alpha/payloads.ts';
import { isSignedByAlpha } from '../../../gateways/alpha/signature.ts';
import { InvalidPayload } from '../../../gateways/provider/error.ts';
import { refuseHostileData } from '../../http/hostile-data.ts';
import { refuseComplexEvent } from '../../http/json-structure.ts';
import { reply } from '../../http/replies.ts';
import { route } from '../../http/route.ts';

export const ALPHA_WEBHOOK_PATH = '/webhooks/alpha';

export const receiveAlphaEvent = route({
  method: 'POST',
  path: ALPHA_WEBHOOK_PATH,
  access: 'signed-webhook',
  tag: 'Provider webhooks',
  summary: 'Receive an event from alpha',
  description:
    'The signature is HMAC-SHA256 of the registered address followed by the exact body, in ' +
    'base64. The event is stored, then acknowledged, then ingested. It may be sent any number of ' +
    'times.',
  refusals: ['UNAUTHORIZED'],
  response: z.object({ ok: z.literal(true) }),
  examples: { response: { ok: true } },

  async handle({ rawBody, headers, correlationId, settings, eventStore, limits, log, metrics }) {
    const signature =
      headers['x-alpha-hmacsha256-signature'] ?? headers['x-square-hmacsha256-signature'];
    const keys = settings.alphaWebhookSignatureKeys;
    const notificationUrl = `${settings.apiBaseUrl}/api/v1${ALPHA_WEBHOOK_PATH}`;
    const isSigned = isSignedByAlpha({
      keys,
      notificationUrl,
      body: rawBody,
      signature: signature?.toString(),
    });
    if (!isSigned) {
      log[keys.length === 0 ? 'error' : 'warn'](
        {
          event: 'webhook_not_signed',
          bytes: rawBody.length,
          notificationUrl,
          keys: keys.length,
        },
        'An alpha webhook was refused: its signature matches none of the keys',
      );
      throw new Refusal(
        'UNAUTHORIZED',
        'The signature does not match. Sign the address and the body.',
      );
    }

    const { merchantId, type } = readEnvelope(rawBody);
    const limitHeaders = await limits.webhooks(`alpha/${merchantId}`);
    await eventStore.store({
      id: EventId.parse(newId()),
      provider: 'alpha',
      merchantId,
      eventType: type,
      body: rawBody,
      correlationId,
    });
    metrics.webhookAccepted('alpha');
    return reply({ body: { ok: true }, headers: limitHeaders });
  },
});

function readEnvelope(body: Buffer) {
  refuseComplexEvent(body);
  try {
    const envelope = readAlphaEnvelope(body);
    refuseHostileData('event', envelope);
    return envelope;
  } catch (error) {
    if (error instanceof InvalidPayload) throw new Refusal('VALIDATION_ERROR', error.message);
    throw error;
  }
}
