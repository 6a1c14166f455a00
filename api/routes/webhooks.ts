import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { EventId } from '../../domain/ids.ts';
import { readAlphaEnvelope } from '../../gateways/alpha-payload.ts';
import { isSignedByAlpha } from '../../gateways/alpha-signature.ts';
import { InvalidPayload } from '../../gateways/provider-error.ts';
import { route } from '../route.ts';

export const ALPHA_WEBHOOK_PATH = '/webhooks/alpha';

export const receiveAlphaEvent = route({
  method: 'POST',
  path: ALPHA_WEBHOOK_PATH,
  access: 'signed-webhook',
  tag: 'Webhooks',
  summary: 'Receive an event from alpha',
  description:
    'The signature is HMAC-SHA256 over the registered address and the exact body, in base64. The ' +
    'event is stored, then answered, then brought in; the same event may come any number of times.',
  refusals: ['UNAUTHORIZED'],
  response: z.object({ ok: z.literal(true) }),
  examples: { response: { ok: true } },

  async handle({ rawBody, headers, correlationId, settings, intake, log }) {
    const signature =
      headers['x-alpha-hmacsha256-signature'] ?? headers['x-square-hmacsha256-signature'];
    const isSigned = isSignedByAlpha({
      keys: settings.alphaWebhookSignatureKeys,
      notificationUrl: `${settings.apiBaseUrl}/api/v1${ALPHA_WEBHOOK_PATH}`,
      body: rawBody,
      signature: signature?.toString(),
    });
    if (!isSigned) {
      const hasKey = settings.alphaWebhookSignatureKeys.length > 0;
      log.warn({ bytes: rawBody.length, hasKey }, 'An alpha webhook was refused: wrong signature');
      throw new Refusal('UNAUTHORIZED', 'The signature does not fit the body and the address.');
    }

    const { merchantId, type } = readEnvelope(rawBody);
    await intake.store({
      id: EventId.parse(randomUUID()),
      provider: 'alpha',
      merchantId,
      eventType: type,
      body: rawBody,
      correlationId,
    });
    return { ok: true };
  },
});

function readEnvelope(body: Buffer) {
  try {
    return readAlphaEnvelope(body);
  } catch (error) {
    if (error instanceof InvalidPayload) throw new Refusal('VALIDATION_ERROR', error.message);
    throw error;
  }
}
