import { z } from 'zod';
import type { ChaosDial } from '../shared/chaos.ts';
import type { SentEvent } from './model.ts';

const OVERSIZED_CHARACTERS = 2 * 1024 * 1024;
const LONGEST_CHAOS_DELAY_MINUTES = 3;

/**
 * What is to happen to webhooks, so many times: to whole events (the first seven), or to single
 * attempts. A body is signed as it is sent; the URL with a trailing slash is both used and signed.
 */
export const WebhookFault = z.object({
  fault: z.enum([
    'duplicate',
    'reorder',
    'delay',
    'dropForGood',
    'prettyPrinted',
    'oversized',
    'nonAscii',
    'drop',
    'wrongKey',
    'trailingSlash',
  ]),
  /** Only events of this type, as `payment.updated`. */
  type: z.string().optional(),
  /** Only events about this payment or refund. */
  objectId: z.string().optional(),
  times: z.int().min(1).default(1),
  /** How long a delay takes, in minutes of the retry schedule. */
  minutes: z.number().min(0).max(1440).default(1),
});
export type WebhookFault = z.input<typeof WebhookFault>;
type Pending = z.output<typeof WebhookFault>;
type FaultName = Pending['fault'];

/** How a new event sets out: how often, how late, and whether behind the next about its object. */
export type DispatchPlan = { isDuplicated: boolean; waitMinutes: number; waitsForNext: boolean };
export type AttemptFaults = { drop: 'once' | 'for good' | undefined; key: string; url: string };

/** What goes wrong with webhooks: what was ordered first, and what the dial draws besides. */
export class WebhookFaults {
  readonly #dial: ChaosDial;
  #pending: Pending[] = [];

  constructor(dial: ChaosDial) {
    this.#dial = dial;
  }

  /** Orders a fault; the earliest order that fits is used up first. */
  schedule(fault: WebhookFault): void {
    this.#pending.push(WebhookFault.parse(fault));
  }

  /** The event with its body changed as ordered. */
  decorate(event: SentEvent): SentEvent {
    let { body } = event;
    if (this.#take('nonAscii', event)) body = withNote(body, 'Café ☕ – naïve');
    if (this.#take('oversized', event)) body = withNote(body, 'x'.repeat(OVERSIZED_CHARACTERS));
    if (this.#take('prettyPrinted', event)) body = JSON.stringify(JSON.parse(body), null, 2);
    return { ...event, body };
  }

  /** How the new event is to set out. */
  planDispatch(event: SentEvent): DispatchPlan {
    const delay = this.#take('delay', event);
    const drawn = this.#dial.hits('delay', event.id)
      ? this.#dial.draw('delayMinutes', event.id) * LONGEST_CHAOS_DELAY_MINUTES
      : 0;
    return {
      isDuplicated: this.#happens('duplicate', event, event.id),
      waitMinutes: delay?.minutes ?? drawn,
      waitsForNext: this.#happens('reorder', event, event.id),
    };
  }

  /** What this attempt to deliver the event suffers, given the right key and URL. */
  faultsOfAttempt(event: SentEvent, right: { key: string; url: string }): AttemptFaults {
    const attempt = `${event.id} ${event.attempts}`;
    if (this.#take('dropForGood', event)) return { ...right, drop: 'for good' };
    return {
      drop: this.#happens('drop', event, attempt) ? 'once' : undefined,
      key: this.#happens('wrongKey', event, attempt) ? `not-${right.key}` : right.key,
      url: this.#take('trailingSlash', event) ? `${right.url}/` : right.url,
    };
  }

  #happens(
    fault: FaultName & ('duplicate' | 'reorder' | 'drop' | 'wrongKey'),
    event: SentEvent,
    about: string,
  ): boolean {
    return this.#take(fault, event) !== undefined || this.#dial.hits(fault, about);
  }

  /** The first order of this fault for the event, used up by asking. */
  #take(fault: FaultName, event: SentEvent): Pending | undefined {
    const hit = this.#pending.find(
      (schedule) =>
        schedule.fault === fault &&
        (schedule.type ?? event.type) === event.type &&
        (schedule.objectId ?? event.objectId) === event.objectId,
    );
    if (hit === undefined) return undefined;
    hit.times -= 1;
    this.#pending = this.#pending.filter(({ times }) => times > 0);
    return hit;
  }
}

const Envelope = z.looseObject({
  data: z.looseObject({ object: z.record(z.string(), z.looseObject({})) }),
});

/** The body with a note on the object that it is about, whatever that is. */
function withNote(body: string, note: string): string {
  const envelope = Envelope.parse(JSON.parse(body));
  for (const object of Object.values(envelope.data.object)) object.note = note;
  return JSON.stringify(envelope);
}
