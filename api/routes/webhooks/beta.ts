import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { newId } from '../../../db/new-id.ts';
import { Refusal } from '../../../domain/errors.ts';
import { EventId } from '../../../domain/ids.ts';
import { isAuthenticBeta } from '../../../gateways/beta/webhook-auth.ts';
import {
  type BetaWebhook,
  readBetaHandshake,
  readBetaWebhook,
} from '../../../gateways/beta/webhooks.ts';
import { InvalidPayload } from '../../../gateways/provider/error.ts';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import type { ApiSettings } from '../../http/deps.ts';
import { refuseHostileData } from '../../http/hostile-data.ts';
import { refuseComplexEvent } from '../../http/json-structure.ts';
import { reply } from '../../http/replies.ts';
import { route } from '../../http/route.ts';

export const BETA_WEBHOOK_PATH = '/webhooks/beta';

type Delivery = {
  rawBody: Buffer;
  headers: IncomingHttpHeaders;
  settings: ApiSettings;
  log: Logger;
};

export const receiveBetaEvent = route({
  method: 'POST',
  path: BETA_WEBHOOK_PATH,
  access: 'signed-webhook',
  tag: 'Provider webhooks',
  summary: 'Receive an event from beta',
  description:
    'The shared secret is sent in `X-Beta-Auth` or `Authorization`. The event is stored, then ' +
    'acknowledged, then ingested. It may be sent any number of times. A body with nothing but ' +
    '`verificationCode`, which beta sends to verify the address, gets that code as the response.',
  refusals: ['UNAUTHORIZED'],
  response: z.union([
    z.object({ ok: z.literal(true) }),
    z.object({ verificationCode: z.string().describe('The code that beta sent.') }),
  ]),
  examples: { response: { ok: true } },

  async handle(delivery) {
    const { rawBody, headers, correlationId, eventStore, limits, log, metrics } = delivery;
    const verificationCode = readBetaHandshake(rawBody);
    if (verificationCode !== null) {
      logVerificationCode(verificationCode, log);
      return reply({ body: { verificationCode } });
    }

    requireAuthentic(delivery);
    const { merchantId, type } = readEvent(delivery);
    const limitHeaders = await limits.webhooks(`beta/${merchantId}`);
    await eventStore.store({
      id: EventId.parse(newId()),
      provider: 'beta',
      merchantId,
      eventType: labelOf(headers) ?? type ?? 'none',
      body: rawBody,
      correlationId,
    });
    metrics.webhookAccepted('beta');
    return reply({ body: { ok: true }, headers: limitHeaders });
  },
});

/** Logs the code for a person to copy into beta's dashboard. The sender is not authenticated. */
function logVerificationCode(verificationCode: string, log: Logger): void {
  const visible = verificationCode.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  log.info(
    { event: 'webhook_verification_code', verificationCode: visible },
    'Beta asks to verify the webhook address: enter this code in its dashboard',
  );
}

function requireAuthentic({ rawBody, headers, settings, log }: Delivery): void {
  const secret = settings.betaWebhookSecret;
  if (isAuthenticBeta({ secret, headers, body: rawBody })) return;
  log[secret === undefined ? 'error' : 'warn'](
    {
      event: 'webhook_without_secret',
      bytes: rawBody.length,
      isSecretConfigured: secret !== undefined,
    },
    'A beta webhook was refused: it does not contain the shared secret',
  );
  throw new Refusal(
    'UNAUTHORIZED',
    'The shared secret is missing or wrong. Send it with each event.',
  );
}

/** Reads the one merchant of an event. Throws VALIDATION_ERROR for several, or for another app. */
function readEvent({ rawBody, settings, log }: Delivery) {
  const { appId, merchantIds, type } = readBody(rawBody);
  const [merchantId, ...others] = merchantIds;
  if (others.length > 0) {
    log.error(
      {
        event: 'webhook_for_several_merchants',
        appId,
        merchants: merchantIds.length,
        bytes: rawBody.length,
      },
      'A beta webhook was refused and its updates are lost: it is for several merchants',
    );
    throw new Refusal('VALIDATION_ERROR', 'Send the updates of each merchant in a separate event.');
  }
  if (appId !== null && settings.betaAppId !== undefined && appId !== settings.betaAppId) {
    log.error(
      { event: 'webhook_for_another_app', appId },
      'A beta webhook was refused: its app is not BETA_APP_ID',
    );
    throw new Refusal('VALIDATION_ERROR', 'The event is for another app. Send it there.');
  }
  return { merchantId, type };
}

function readBody(body: Buffer): BetaWebhook {
  refuseComplexEvent(body);
  try {
    const webhook = readBetaWebhook(body);
    refuseHostileData('event', webhook);
    return webhook;
  } catch (error) {
    if (error instanceof InvalidPayload) throw new Refusal('VALIDATION_ERROR', error.message);
    throw error;
  }
}

/** The header is only a label and may be missing. */
function labelOf(headers: IncomingHttpHeaders): string | null {
  const label = `${headers['x-beta-event-type'] ?? ''}`;
  return /^[\x21-\x7e]{1,200}$/.test(label) ? label : null;
}
