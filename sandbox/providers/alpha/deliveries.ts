import { DeliveryQueue } from '../shared/delivery-queue.ts';
import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import type { SentEvent } from './model.ts';
import type { AlphaStore } from './store.ts';
import type { WebhookFaults } from './webhook-faults.ts';
import { type Answer, type HeaderNames, postWebhook, webhookHeaders } from './webhook-request.ts';

/** The pauses between attempts, in minutes as the real provider takes them (1.7). */
export const RETRY_MINUTES = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480] as const;

/** How long the provider waits for an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
/** How long an event waits at most for the next one about its object. */
const OVERTAKEN_WITHIN_MINUTES = 1;

type Options = {
  store: AlphaStore;
  journal: Journal;
  disturbances: WebhookFaults;
  now: () => Date;
  webhookUrl: string;
  signatureKey: string;
  headerNames: HeaderNames;
  /** How long a minute of the retry schedule takes here. */
  minuteMs: number;
  answerTimeoutMs: number;
};
/** One delivery; that of a copy, a duplicate, does not change the state of its event. */
type Run = { event: SentEvent; isCopy: boolean };

/**
 * Delivers events over HTTP, at least once and in no promised order.
 *
 * An event stays pending in the store until it is accepted or given up, so that a restart continues
 * what a killed process left.
 */
export class Deliveries {
  readonly #options: Options;
  readonly #queue: DeliveryQueue<Run>;
  /** Runs that wait for the next event about the same object to overtake them. */
  readonly #overtaken = new Map<Run, NodeJS.Timeout>();

  constructor(options: Options) {
    this.#options = options;
    this.#queue = new DeliveryQueue((run) =>
      this.#attempt(run).finally(() => this.#releaseOvertaken(run.event)),
    );
  }

  /** Continues the deliveries that an earlier process left unfinished. */
  resume(): void {
    const pending = this.#options.store.events.all().filter(({ state }) => state === 'pending');
    this.#queue.add(...pending.map((event) => ({ event, isCopy: false })));
  }

  /** Delivers new events in the background, disturbed or not; they must be in the store already. */
  send(events: readonly SentEvent[]): void {
    const due: Run[] = [];
    for (const event of events) {
      const journey = this.#options.disturbances.journeyOf(event);
      const run = { event, isCopy: false };
      if (journey.waitsForNext) this.#waitToBeOvertaken(run);
      else if (journey.waitMinutes > 0) this.#wait(run, journey.waitMinutes);
      else due.push(run);
      if (journey.isDoubled) due.push({ event, isCopy: true });
    }
    this.#queue.add(...due);
  }

  /** Delivers an event once more, unchanged; throws a CommandRefused when it is unknown. */
  redeliver(eventId: string): void {
    const event = this.#options.store.events.get(eventId);
    if (event === undefined) throw new CommandRefused(`There is no event ${eventId}.`);
    this.#queue.add({ event, isCopy: false });
  }

  /** Resolves when nothing is queued, under way or waiting to be tried again. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Aborts what is under way; it stays pending in the store. */
  async stop(): Promise<void> {
    this.#overtaken.clear();
    await this.#queue.stop();
  }

  async #attempt({ event, isCopy }: Run): Promise<void> {
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

  #wait(run: Run, minutes: number): NodeJS.Timeout {
    return this.#queue.after(minutes * this.#options.minuteMs, () => {
      this.#overtaken.delete(run);
      this.#queue.add(run);
    });
  }

  #waitToBeOvertaken(run: Run): void {
    this.#overtaken.set(run, this.#wait(run, OVERTAKEN_WITHIN_MINUTES));
  }

  /** Releases the events that this one was meant to overtake. */
  #releaseOvertaken({ id, objectId }: SentEvent): void {
    for (const [run, timer] of [...this.#overtaken]) {
      if (run.event.id === id || run.event.objectId !== objectId) continue;
      this.#queue.cancel(timer);
      this.#overtaken.delete(run);
      this.#queue.add(run);
    }
  }

  async #post(event: SentEvent, at: string): Promise<Answer & { isHopeless?: boolean }> {
    const { signatureKey, webhookUrl, headerNames, disturbances } = this.#options;
    const twist = disturbances.twistOf(event, { key: signatureKey, url: webhookUrl });
    if (twist.drop !== undefined) {
      const isHopeless = twist.drop === 'for good';
      const note = `Lost on its way, ${twist.drop}.`;
      return { outcome: 'dropped', note, reason: 'http_timeout', isHopeless };
    }
    return postWebhook({
      url: twist.url,
      headers: webhookHeaders(event, at, twist, headerNames),
      body: event.body,
      timeoutMs: this.#options.answerTimeoutMs,
      stop: this.#queue.stopped,
    });
  }
}
