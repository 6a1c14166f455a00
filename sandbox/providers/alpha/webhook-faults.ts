import { z } from 'zod';
import type { ChaosDial } from '../shared/chaos.ts';
import type { SentEvent } from './model.ts';

const OVERSIZED_CHARACTERS = 2 * 1024 * 1024;
const LONGEST_CHAOS_DELAY_MINUTES = 3;

/**
 * A fault of the next `times` events (the first seven faults) or delivery attempts (the others).
 *
 * A body is signed as it is sent; a URL with a trailing slash is both called and signed.
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
  /** Only events of this type, such as `payment.updated`. */
  type: z.string().optional(),
  /** Only events about this payment or refund. */
  objectId: z.string().optional(),
  times: z.int().min(1).default(1),
  /** The length of a delay, in minutes of the retry schedule. */
  minutes: z.number().min(0).max(1440).default(1),
});
export type WebhookFault = z.input<typeof WebhookFault>;
type Pending = z.output<typeof WebhookFault>;
type FaultName = Pending['fault'];

/** How a new event is dispatched: twice, late, or after the next event about its object. */
export type DispatchPlan = { isDuplicated: boolean; waitMinutes: number; waitsForNext: boolean };
export type AttemptFaults = { drop: 'once' | 'for good' | undefined; key: string; url: string };

/** The faults of webhooks: scheduled ones first, then those that the chaos dial draws. */
export class WebhookFaults {
  readonly #dial: ChaosDial;
  #pending: Pending[] = [];

  constructor(dial: ChaosDial) {
    this.#dial = dial;
  }

  /** Schedules a fault; of several that match, the oldest is used first. */
  schedule(fault: WebhookFault): void {
    this.#pending.push(WebhookFault.parse(fault));
  }

  /** Applies the scheduled faults of the body to the event. */
  decorate(event: SentEvent): SentEvent {
    let { body } = event;
    if (this.#take('nonAscii', event)) body = withNote(body, 'Café ☕ – naïve');
    if (this.#take('oversized', event)) body = withNote(body, 'x'.repeat(OVERSIZED_CHARACTERS));
    if (this.#take('prettyPrinted', event)) body = JSON.stringify(JSON.parse(body), null, 2);
    return { ...event, body };
  }

  /** Decides how the new event is dispatched. */
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

  /** Decides whether this attempt is dropped, and which key and URL it uses. */
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

  /** Uses up and returns the oldest scheduled fault of this name for the event. */
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

/** Adds a note to the object that the body contains. */
function withNote(body: string, note: string): string {
  const envelope = Envelope.parse(JSON.parse(body));
  for (const object of Object.values(envelope.data.object)) object.note = note;
  return JSON.stringify(envelope);
}
