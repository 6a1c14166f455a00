import type { z } from 'zod';
import type { Delivery, EventReading, Verdict, WebhookRequest } from '../provider.ts';
import { readAlphaEnvelope, readAlphaReport } from './payloads.ts';
import type { AlphaWebhookSettings } from './settings.ts';
import { isSignedByAlpha } from './signature.ts';

/** The header of the signature; at the real provider, the other one. */
export const SIGNATURE_HEADER = 'X-Alpha-HMACSHA256-Signature';
const SIGNATURE_HEADERS = [SIGNATURE_HEADER.toLowerCase(), 'x-square-hmacsha256-signature'];

/** Whether alpha signed a request. */
export function verifyAlpha(
  { headers, body, notificationUrl }: WebhookRequest,
  { ALPHA_WEBHOOK_SIGNATURE_KEY: keys }: z.output<typeof AlphaWebhookSettings>,
): Verdict {
  const given = SIGNATURE_HEADERS.map((name) => headers[name]).find((value) => value !== undefined);
  const signature = given?.toString();
  if (isSignedByAlpha({ keys, notificationUrl, body, signature })) return { kind: 'authentic' };
  return {
    kind: 'refused',
    code: 'UNAUTHORIZED',
    message: 'The signature does not match. Sign the address and the body.',
    note: {
      level: keys.length === 0 ? 'error' : 'warn',
      text: 'An alpha webhook was refused: its signature matches none of the keys',
      fields: {
        event: 'webhook_not_signed',
        bytes: body.length,
        notificationUrl,
        keys: keys.length,
      },
    },
  };
}

/** Reads whose event a request brings. Throws InvalidPayload. */
export function readAlphaDelivery({ body }: WebhookRequest): Delivery {
  return { kind: 'event', ...readAlphaEnvelope(body) };
}

/** Reads what a stored event says by itself. Throws InvalidPayload. */
export function readAlphaEvent(body: Buffer): EventReading {
  const reading = readAlphaReport(body);
  switch (reading.kind) {
    case 'payment':
      return { kind: 'payments', payments: [reading.payment] };
    case 'refund':
      return { kind: 'ask' };
    case 'revoked':
      return { ...reading, isSigned: true };
    case 'other':
      return { kind: 'ignored', reason: 'not_a_payment' };
  }
}
