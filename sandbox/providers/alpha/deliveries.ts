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
const MAX_IN_FLIGHT = 32;
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
/** A copy is a duplicate on its way: whatever becomes of it, the event itself goes its own. */
type Run = { event: SentEvent; isCopy: boolean };
type Wait = { run: Run; timer: NodeJS.Timeout; isForNext: boolean };

/**
 * Delivers events over HTTP, at least once and in no promised order.
 *
 * An event stays pending in the store until it is accepted or given up, so a
 * restart goes on with what a killed process has left.
 */
export class Deliveries {
  readonly #options: Options;
  readonly #queue: Run[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #waiting = new Set<Wait>();
  readonly #stop = new AbortController();
  #watchers: (() => void)[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes up what an earlier process has not finished. */
  resume(): void {
    for (const event of this.#options.store.events.values()) {
      if (event.state === 'pending') this.#queue.push({ event, isCopy: false });
    }
    this.#pump();
  }

  /** Delivers new events in the background, disturbed or not; they must be in the store already. */
  send(events: readonly SentEvent[]): void {
    for (const event of events) {
      const journey = this.#options.disturbances.journeyOf(event);
      const run = { event, isCopy: false };
      if (journey.waitsForNext) this.#wait(run, OVERTAKEN_WITHIN_MINUTES, true);
      else if (journey.waitMinutes > 0) this.#wait(run, journey.waitMinutes);
      else this.#queue.push(run);
      if (journey.isDoubled) this.#queue.push({ event, isCopy: true });
    }
    this.#pump();
  }

  /** Delivers an event once more, as it was; throws a StoryRefusal when it is not known. */
  redeliver(eventId: string): void {
    const event = this.#options.store.events.get(eventId);
    if (event === undefined) throw new CommandRefused(`There is no event ${eventId}.`);
    this.#queue.push({ event, isCopy: false });
    this.#pump();
  }

  /** Resolves when nothing is queued, under way or waiting to be tried again. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push(resolve);
      this.#pump();
    });
  }

  /** Breaks off what is under way; it stays pending in the store. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const { timer } of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
    this.#queue.length = 0;
    await Promise.all(this.#running);
    this.#pump();
  }

  #pump(): void {
    while (this.#running.size < MAX_IN_FLIGHT && !this.#stop.signal.aborted) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      const run = this.#attempt(next).finally(() => {
        this.#running.delete(run);
        this.#releaseOvertaken(next.event);
        this.#pump();
      });
      this.#running.add(run);
    }
    if (this.#queue.length + this.#running.size + this.#waiting.size > 0) return;
    for (const resolve of this.#watchers.splice(0)) resolve();
  }

  async #attempt({ event, isCopy }: Run): Promise<void> {
    const { store, journal, now } = this.#options;
    const at = now().toISOString();
    const { reason, isHopeless, ...answer } = await this.#post(event, at);
    if (this.#stop.signal.aborted) return;

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

  #wait(run: Run, minutes: number, isForNext = false): void {
    const timer = setTimeout(() => this.#release(wait), minutes * this.#options.minuteMs);
    const wait: Wait = { run, timer, isForNext };
    this.#waiting.add(wait);
  }

  #release(wait: Wait): void {
    clearTimeout(wait.timer);
    this.#waiting.delete(wait);
    this.#queue.push(wait.run);
    this.#pump();
  }

  /** Lets the events go that were to be overtaken by this one. */
  #releaseOvertaken({ id, objectId }: SentEvent): void {
    for (const wait of [...this.#waiting]) {
      const { event } = wait.run;
      if (wait.isForNext && event.id !== id && event.objectId === objectId) this.#release(wait);
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
      stop: this.#stop.signal,
    });
  }
}
