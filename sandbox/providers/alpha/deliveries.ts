import { DeliveryQueue } from '../shared/delivery-queue.ts';
import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { SentEvent } from './model.ts';
import type { AlphaStore } from './store.ts';
import type { WebhookFaults } from './webhook-faults.ts';
import {
  type AttemptResult,
  type HeaderNames,
  postWebhook,
  webhookHeaders,
} from './webhook-request.ts';

/** The pauses between attempts, in minutes; the real provider's schedule. */
export const RETRY_MINUTES = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480] as const;

/** How long the provider waits for a response. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** How long a reordered event waits at most for the next event about its object. */
const OVERTAKEN_WITHIN_MINUTES = 1;

type Options = {
  store: AlphaStore;
  journal: Journal;
  faults: WebhookFaults;
  now: () => Date;
  webhookUrl: string;
  signatureKey: string;
  headerNames: HeaderNames;
  /** The length of a minute of the retry schedule here. */
  minuteMs: number;
  answerTimeoutMs: number;
};
/** A queued delivery; delivering a copy, a duplicate, does not change the state of its event. */
type Delivery = { event: SentEvent; isCopy: boolean };

/**
 * Delivers events over HTTP, at least once and in no guaranteed order.
 *
 * An event stays pending in the store until it is accepted or given up, so that a restart continues
 * what a killed process left.
 */
export class Deliveries {
  readonly #options: Options;
  readonly #queue: DeliveryQueue<Delivery>;
  /** Deliveries that wait for the next event about the same object to overtake them. */
  readonly #overtaken = new Map<Delivery, NodeJS.Timeout>();

  constructor(options: Options) {
    this.#options = options;
    this.#queue = new DeliveryQueue((delivery) =>
      this.#attempt(delivery).finally(() => this.#releaseOvertaken(delivery.event)),
    );
  }

  /** Continues the deliveries that an earlier process left unfinished. */
  resume(): void {
    const pending = this.#options.store.events.all().filter(({ state }) => state === 'pending');
    this.#queue.add(...pending.map((event) => ({ event, isCopy: false })));
  }

  /** Delivers new events in the background, with faults; they must already be in the store. */
  send(events: readonly SentEvent[]): void {
    const due: Delivery[] = [];
    for (const event of events) {
      const plan = this.#options.faults.planDispatch(event);
      const delivery = { event, isCopy: false };
      if (plan.waitsForNext) this.#waitToBeOvertaken(delivery);
      else if (plan.waitMinutes > 0) this.#wait(delivery, plan.waitMinutes);
      else due.push(delivery);
      if (plan.isDuplicated) due.push({ event, isCopy: true });
    }
    this.#queue.add(...due);
  }

  /** Delivers an event once more, unchanged; throws a CommandRefused when it is unknown. */
  redeliver(eventId: string): void {
    const event = this.#options.store.events.get(eventId);
    if (event === undefined) throw new CommandRefused(`There is no event ${eventId}.`);
    this.#queue.add({ event, isCopy: false });
  }

  /** Resolves when nothing is queued, in progress or waiting for a retry. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Aborts deliveries in progress; their events stay pending in the store. */
  async stop(): Promise<void> {
    this.#overtaken.clear();
    await this.#queue.stop();
  }

  async #attempt({ event, isCopy }: Delivery): Promise<void> {
    const { store, journal, now } = this.#options;
    const at = now().toISOString();
    const { reason, isHopeless, ...answer } = await this.#post(event, at);
    if (this.#queue.stopped.aborted) return;

    const attempt = event.attempts + 1;
    const { id: eventId, type, merchantId, objectId } = event;
    journal.add({ kind: 'delivery', at, eventId, type, merchantId, objectId, attempt, ...answer });
    if (isCopy) return;
    const pause = isHopeless ? undefined : RETRY_MINUTES[event.attempts];
    const failed = pause === undefined ? 'given-up' : 'pending';
    const after: SentEvent = {
      ...event,
      attempts: attempt,
      firstAttemptAt: event.firstAttemptAt ?? at,
      lastReason: reason,
      state: answer.outcome === 'accepted' ? 'delivered' : failed,
    };
    store.write({ kind: 'event', value: after });
    if (after.state === 'pending' && pause !== undefined) {
      this.#wait({ event: after, isCopy: false }, pause);
    }
  }

  #wait(delivery: Delivery, minutes: number): NodeJS.Timeout {
    return this.#queue.after(minutes * this.#options.minuteMs, () => {
      this.#overtaken.delete(delivery);
      this.#queue.add(delivery);
    });
  }

  #waitToBeOvertaken(delivery: Delivery): void {
    this.#overtaken.set(delivery, this.#wait(delivery, OVERTAKEN_WITHIN_MINUTES));
  }

  /** Releases the events that this one was meant to overtake. */
  #releaseOvertaken({ id, objectId }: SentEvent): void {
    for (const [delivery, timer] of [...this.#overtaken]) {
      if (delivery.event.id === id || delivery.event.objectId !== objectId) continue;
      this.#queue.cancel(timer);
      this.#overtaken.delete(delivery);
      this.#queue.add(delivery);
    }
  }

  async #post(event: SentEvent, at: string): Promise<AttemptResult & { isHopeless?: boolean }> {
    const { signatureKey, webhookUrl, headerNames, faults } = this.#options;
    const attempt = faults.faultsOfAttempt(event, { key: signatureKey, url: webhookUrl });
    if (attempt.drop !== undefined) {
      const isHopeless = attempt.drop === 'for good';
      const note = `Dropped ${attempt.drop}.`;
      return { outcome: 'dropped', note, reason: 'http_timeout', isHopeless };
    }
    return postWebhook({
      url: attempt.url,
      headers: webhookHeaders(event, at, attempt, headerNames),
      body: event.body,
      timeoutMs: this.#options.answerTimeoutMs,
      stop: this.#queue.stopped,
    });
  }
}
