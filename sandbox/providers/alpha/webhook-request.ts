import type { DeliveryEntry } from '../shared/journal.ts';
import { post } from '../shared/post.ts';
import { signWebhook } from './events.ts';
import type { SentEvent } from './model.ts';
import type { AttemptFaults } from './webhook-faults.ts';

/**
 * The names of a webhook's headers: our own, or those that the provider behind alpha uses.
 *
 * Only our own have one for the event's type.
 */
export type HeaderNames = 'alpha' | 'square';

/** What became of an attempt; `reason` says why it failed, as the next one's header will. */
export type AttemptResult = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'> & {
  reason?: NonNullable<SentEvent['lastReason']>;
};

/** Posts a webhook, which any 2xx accepts; never throws. */
export async function postWebhook(request: Parameters<typeof post>[0]): Promise<AttemptResult> {
  const reply = await post(request);
  if ('note' in reply) {
    const reason = reply.isTimeout ? 'http_timeout' : 'other_error';
    return { outcome: 'unreachable', note: reply.note, reason };
  }
  const isOk = reply.status >= 200 && reply.status < 300;
  if (isOk) return { outcome: 'accepted', ...reply };
  return { outcome: 'refused', ...reply, reason: 'http_error' };
}

/** The headers of an attempt made at a time, signed over the URL and the event's body (1.7). */
export function webhookHeaders(
  event: SentEvent,
  at: string,
  { key, url }: AttemptFaults,
  names: HeaderNames,
): Record<string, string> {
  const { body, attempts, firstAttemptAt, lastReason } = event;
  const signature = signWebhook({ signatureKey: key, notificationUrl: url, body });
  return {
    'Content-Type': 'application/json',
    'User-Agent': names === 'alpha' ? 'alpha-sandbox' : 'Square Connect v2',
    [names === 'alpha' ? 'X-Alpha-HMACSHA256-Signature' : 'x-square-hmacsha256-signature']:
      signature,
    ...(names === 'alpha' && { 'X-Alpha-Event-Type': event.type }),
    [`${names}-environment`]: 'Sandbox',
    [`${names}-initial-delivery-timestamp`]: firstAttemptAt ?? at,
    ...(attempts > 0 && { [`${names}-retry-number`]: String(attempts) }),
    ...(attempts > 0 && lastReason && { [`${names}-retry-reason`]: lastReason }),
  };
}
