import { z } from 'zod';
import { newId } from '../../../db/new-id.ts';
import { Refusal } from '../../../domain/errors.ts';
import { EventId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { webhookPath } from '../../../domain/provider-paths.ts';
import { providers } from '../../../gateways/providers/index.ts';
import type {
  Delivery,
  Note,
  Refused,
  WebhookRequest,
} from '../../../gateways/providers/provider.ts';
import { InvalidPayload } from '../../../gateways/providers/shared/error.ts';
import type { Logger } from '../../../gateways/telemetry/logger.ts';
import type { ApiSettings } from '../../http/deps.ts';
import { reply } from '../../http/replies/reply.ts';
import { refuseHostileData } from '../../http/requests/hostile-data.ts';
import { refuseComplexEvent } from '../../http/requests/json-structure.ts';
import { route } from '../../http/route.ts';

const Stored = z.object({ ok: z.literal(true) });

/** Makes the route that receives a provider's webhooks. */
export function receiveEventOf(provider: Provider) {
  const { description, handshake, verify, sender, isSentOnce } = providers[provider].webhook;
  const writeHandshake = fewPerMinute();
  return route({
    method: 'POST',
    path: webhookPath(provider),
    access: 'signed-webhook',
    tag: 'Provider webhooks',
    summary: `Receive an event from ${provider}`,
    description,
    refusals: ['UNAUTHORIZED'],
    isNeverLimited: isSentOnce,
    sender(headers, { settings, log }) {
      const judged = sender?.(headers, settings.providers) ?? 'stranger';
      if (typeof judged === 'string') return judged;
      return { atMost: judged.atMost, refuse: () => refuse(judged.refused, log) };
    },
    response: handshake === undefined ? Stored : z.union([Stored, handshake]),
    examples: { response: { ok: true } },

    async handle({ rawBody: body, headers, correlationId, settings, eventStore, limits, ...deps }) {
      const { log, metrics } = deps;
      const notificationUrl = `${settings.apiBaseUrl}/api/v1${webhookPath(provider)}`;
      const request = { body, headers, notificationUrl };
      const verdict = accepted(verify(request, settings.providers), log);
      if (verdict.kind === 'handshake') {
        writeHandshake(verdict.note, log);
        return reply({ body: verdict.answer });
      }

      const { merchantId, type } = accepted(readDelivery(provider, request, settings), log);
      const who = `${provider}/${merchantId}`;
      const limitHeaders = isSentOnce ? {} : await limits.webhooks(who);
      const delaySeconds = isSentOnce ? await limits.webhookDelay(who) : 0;
      const id = EventId.parse(newId());
      const event = { id, provider, merchantId, eventType: type, body, correlationId };
      await eventStore.store({ ...event, delaySeconds });
      metrics.webhookAccepted(provider);
      return reply({ body: { ok: true }, headers: limitHeaders });
    },
  });
}

function readDelivery(
  provider: Provider,
  request: WebhookRequest,
  settings: ApiSettings,
): Delivery {
  refuseComplexEvent(request.body);
  try {
    const delivery = providers[provider].webhook.readDelivery(request, settings.providers);
    refuseHostileData('event', delivery);
    return delivery;
  } catch (error) {
    if (error instanceof InvalidPayload) throw new Refusal('VALIDATION_ERROR', error.message);
    throw error;
  }
}

/** Returns what was not refused. Otherwise, logs why and throws the refusal. */
function accepted<T extends { kind: string }>(answer: T | Refused, log: Logger): T {
  return isRefused(answer) ? refuse(answer, log) : answer;
}

function refuse({ note, code, message }: Refused, log: Logger): never {
  writeNote(note, log);
  throw new Refusal(code, message);
}

const HANDSHAKE_QUIET_MS = 60_000;
const HANDSHAKES_A_MINUTE = 20;

/**
 * Anybody may send a handshake, and fills no log with it: each is written once a minute, and twenty
 * of them. A person asks for another one when theirs is not there.
 */
function fewPerMinute(): typeof writeNote {
  const written = new Set<string>();
  let until = 0;
  return (note, log) => {
    if (performance.now() >= until) {
      written.clear();
      until = performance.now() + HANDSHAKE_QUIET_MS;
    }
    const what = JSON.stringify(note.fields);
    if (written.has(what) || written.size >= HANDSHAKES_A_MINUTE) return;
    written.add(what);
    writeNote(note, log);
  };
}

function isRefused(answer: { kind: string }): answer is Refused {
  return answer.kind === 'refused';
}

function writeNote({ level, fields, text }: Note, log: Logger): void {
  log[level](fields, text);
}
