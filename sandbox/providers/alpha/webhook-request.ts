import type { DeliveryEntry } from '../shared/journal.ts';
import { post } from '../shared/post.ts';
import { signWebhook } from './events.ts';
import type { SentEvent } from './model.ts';
import type { AttemptFaults } from './webhook-faults.ts';

/**
 * The set of webhook header names: our own, or those of the real provider behind alpha.
 *
 * Only our own include the event's type.
 */
export type HeaderNames = 'alpha' | 'square';

/** The result of an attempt; `reason` becomes the retry reason in the next attempt's header. */
export type AttemptResult = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'> & {
  reason?: NonNullable<SentEvent['lastReason']>;
};

/** Posts a webhook, which any 2xx status accepts; never throws. */
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

/** Builds the headers of an attempt made at `at`, signed over the URL and the event's body. */
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
