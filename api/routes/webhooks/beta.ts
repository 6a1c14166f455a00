import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
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
  tag: 'Webhooks',
  summary: 'Receive an event from beta',
  description:
    'The shared secret comes in `X-Beta-Auth` or `Authorization`. The event is stored, then ' +
    'answered, then brought in; the same event may come any number of times. A body of nothing ' +
    'but `verificationCode`, which beta sends to verify the address, is answered with it.',
  refusals: ['UNAUTHORIZED'],
  response: z.union([
    z.object({ ok: z.literal(true) }),
    z.object({ verificationCode: z.string() }),
  ]),
  examples: { response: { ok: true } },

  async handle(delivery) {
    const { rawBody, headers, correlationId, eventStore, limits, log, metrics } = delivery;
    const verificationCode = readBetaHandshake(rawBody);
    if (verificationCode !== null) {
      announce(verificationCode, log);
      return reply({ body: { verificationCode } });
    }

    requireAuthentic(delivery);
    const { merchantId, type } = readEvent(delivery);
    const limitHeaders = await limits.webhooks(`beta/${merchantId}`);
    await eventStore.store({
      id: EventId.parse(randomUUID()),
      provider: 'beta',
      merchantId,
      eventType: labelIn(headers) ?? type ?? 'none',
      body: rawBody,
      correlationId,
    });
    metrics.webhookAccepted('beta');
    return reply({ body: { ok: true }, headers: limitHeaders });
  },
});

/** A person copies the code from the log into beta's dashboard. Anybody may have sent it. */
function announce(verificationCode: string, log: Logger): void {
  const visible = verificationCode.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  log.info({ verificationCode: visible }, 'Beta asks to verify the address of its webhook');
}

function requireAuthentic({ rawBody, headers, settings, log }: Delivery): void {
  const secret = settings.betaWebhookSecret;
  if (isAuthenticBeta({ secret, headers, body: rawBody })) return;
  log[secret === undefined ? 'error' : 'warn'](
    { bytes: rawBody.length, isSecretConfigured: secret !== undefined },
    'A beta webhook was refused: it does not carry the secret',
  );
  throw new Refusal('UNAUTHORIZED', 'The shared secret is missing or wrong.');
}

/** The one merchant whose event it is. Throws VALIDATION_ERROR for several, or another app's. */
function readEvent({ rawBody, settings, log }: Delivery) {
  const { appId, merchantIds, type } = readBody(rawBody);
  const [merchantId, ...others] = merchantIds;
  if (others.length > 0) {
    log.error(
      { appId, merchants: merchantIds.length, bytes: rawBody.length },
      'A beta webhook was refused, and what it told is lost: it is about several merchants',
    );
    throw new Refusal('VALIDATION_ERROR', 'Send the updates of each merchant by themselves.');
  }
  if (appId !== null && settings.betaAppId !== undefined && appId !== settings.betaAppId) {
    log.error({ appId }, 'A beta webhook was refused: it is for another app than BETA_APP_ID');
    throw new Refusal('VALIDATION_ERROR', 'The event is for another app than this one.');
  }
  return { merchantId, type };
}

function readBody(body: Buffer): BetaWebhook {
  try {
    const webhook = readBetaWebhook(body);
    refuseHostileData('event', webhook);
    return webhook;
  } catch (error) {
    if (error instanceof InvalidPayload) throw new Refusal('VALIDATION_ERROR', error.message);
    throw error;
  }
}

/** The header is only a label, and may be missing. */
function labelIn(headers: IncomingHttpHeaders): string | null {
  const label = `${headers['x-beta-event-type'] ?? ''}`;
  return /^[\x21-\x7e]{1,200}$/.test(label) ? label : null;
}
