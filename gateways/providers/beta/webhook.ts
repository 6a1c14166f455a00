import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type {
  Delivery,
  EventReading,
  Refused,
  Sender,
  Verdict,
  WebhookRequest,
} from '../provider.ts';
import type { BetaSettings, BetaWebhookSettings } from './settings.ts';
import { isAuthenticBeta, proofInHeaders } from './webhook-auth.ts';
import {
  MAX_HANDSHAKE_BYTES,
  readBetaHandshake,
  readBetaUninstall,
  readBetaUpdates,
  readBetaWebhook,
  splitBetaUpdates,
} from './webhooks.ts';

/** What beta gets as the response to its handshake. */
export const HandshakeAnswer = z.object({
  verificationCode: z.string().describe('The code that beta sent.'),
});

/** Whether beta sent a request, or wants to verify the address. */
export function verifyBeta(
  { headers, body }: WebhookRequest,
  { BETA_WEBHOOK_SECRET: secret }: z.output<typeof BetaWebhookSettings>,
): Verdict {
  const verificationCode = readBetaHandshake(body);
  if (verificationCode !== null) return handshake(verificationCode);
  if (isAuthenticBeta({ secret, headers, body })) return { kind: 'authentic' };
  return withoutSecret(secret);
}

/** Of whoever does not prove to be beta, no more is read than a handshake may have. */
export function senderToBeta(
  headers: IncomingHttpHeaders,
  { BETA_WEBHOOK_SECRET: secret }: z.output<typeof BetaWebhookSettings>,
): Sender {
  const proof = proofInHeaders({ secret, headers });
  if (proof === 'secret') return 'known';
  if (proof === 'signed') return 'stranger';
  return { atMost: MAX_HANDSHAKE_BYTES, refused: withoutSecret(secret) };
}

function withoutSecret(secret: string | undefined): Refused {
  const isSecretConfigured = secret !== undefined;
  return {
    kind: 'refused',
    code: 'UNAUTHORIZED',
    message: 'The shared secret is missing or wrong. Send it with each event.',
    note: {
      level: isSecretConfigured ? 'warn' : 'error',
      text: 'A beta webhook was refused: it does not contain the shared secret',
      fields: { event: 'webhook_without_secret', isSecretConfigured },
    },
  };
}

/** The code is logged, as far as it can be seen, for a person to copy into beta's dashboard. */
function handshake(verificationCode: string): Verdict {
  return {
    kind: 'handshake',
    answer: { verificationCode },
    note: {
      level: 'info',
      text: 'Beta asks to verify the webhook address: enter this code in its dashboard',
      fields: {
        event: 'webhook_verification_code',
        verificationCode: verificationCode.replaceAll(/\p{C}/gu, ''),
      },
    },
  };
}

/**
 * Reads the one merchant of a request. Refuses one with several, and one for another app. Throws
 * InvalidPayload.
 */
export function readBetaDelivery(
  { headers, body }: WebhookRequest,
  { BETA_APP_ID: ourAppId }: Pick<BetaSettings, 'BETA_APP_ID'>,
): Delivery {
  const { appId, merchantIds, type } = readBetaWebhook(body);
  const [merchantId, ...others] = merchantIds;
  if (others.length > 0) {
    return refused('Send the updates of each merchant in a separate event.', {
      text: 'A beta webhook was refused and its updates are lost: it is for several merchants',
      fields: {
        event: 'webhook_for_several_merchants',
        appId,
        merchants: merchantIds.length,
        bytes: body.length,
      },
    });
  }
  if (appId !== null && ourAppId !== undefined && appId !== ourAppId) {
    return refused('The event is for another app. Send it there.', {
      text: 'A beta webhook was refused: its app is not BETA_APP_ID',
      fields: { event: 'webhook_for_another_app', appId },
    });
  }
  return { kind: 'event', merchantId, type: labelOf(headers) ?? type ?? 'none' };
}

function refused(message: string, note: Omit<Refused['note'], 'level'>): Refused {
  return { kind: 'refused', code: 'VALIDATION_ERROR', message, note: { level: 'error', ...note } };
}

/** The header is only a label and may be missing. */
function labelOf(headers: IncomingHttpHeaders): string | null {
  const label = `${headers['x-beta-event-type'] ?? ''}`;
  return /^[\x21-\x7e]{1,200}$/.test(label) ? label : null;
}

/**
 * How many payments and orders of one event are fetched. An event is closed once all that it names
 * came within one attempt: of one that names more, each attempt would fetch the same first ones. Of
 * so few, four events at once take half of an attempt where beta takes half a second to answer.
 */
const MOST_AT_ONCE = 20;

/** Reads what a stored event says by itself: whether beta has to be asked, or may not be now. */
export function readBetaEvent(body: Buffer): EventReading {
  const { paymentIds, orderIds } = readBetaUpdates(body);
  const named = paymentIds.length + orderIds.length;
  if (named > MOST_AT_ONCE) return { kind: 'split', bodies: splitBetaUpdates(body, MOST_AT_ONCE) };
  if (named > 0) return { kind: 'ask' };
  const uninstalled = readBetaUninstall(body);
  if (uninstalled === null) return { kind: 'ignored', reason: 'not_a_payment' };
  const { merchantId, at: revokedAt } = uninstalled;
  return { kind: 'revoked', merchantId, revokedAt, isSigned: false };
}
