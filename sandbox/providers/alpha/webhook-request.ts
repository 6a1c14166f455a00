import type { DeliveryEntry } from '../shared/journal.ts';
import { signWebhook } from './events.ts';
import type { SentEvent } from './model.ts';
import type { Twist } from './webhook-faults.ts';

const KEPT_ANSWER_CHARACTERS = 500;

/**
 * The names of a webhook's headers: our own, or those that the provider behind alpha uses.
 *
 * Only our own have one for the event's type.
 */
export type HeaderNames = 'alpha' | 'square';

/** What became of an attempt; `reason` says why it failed, as the next one's header will. */
export type Answer = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'> & {
  reason?: NonNullable<SentEvent['lastReason']>;
};

/** Posts a webhook and says what the receiver answered; never throws. */
export async function postWebhook(request: {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  stop: AbortSignal;
}): Promise<Answer> {
  const { url, headers, body, stop } = request;
  const timeout = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      // To the provider a redirect is a failure.
      redirect: 'manual',
      headers,
      body,
      signal: AbortSignal.any([timeout, stop]),
    });
    const { status, ok } = response;
    const answer = (await response.text()).slice(0, KEPT_ANSWER_CHARACTERS);
    if (ok) return { outcome: 'accepted', status, answer };
    return { outcome: 'refused', status, answer, reason: 'http_error' };
  } catch (error) {
    const note = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    const reason = timeout.aborted ? 'http_timeout' : 'other_error';
    return { outcome: 'unreachable', note, reason };
  }
}

/** The headers of an attempt made at a time, signed over the URL and the event's body (1.7). */
export function webhookHeaders(
  event: SentEvent,
  at: string,
  { key, url }: Twist,
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
