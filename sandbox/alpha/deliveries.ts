import { signWebhook } from './events.ts';
import type { DeliveryEntry, Journal } from './journal.ts';
import type { SentEvent } from './model.ts';
import { StoryRefusal } from './refusal.ts';
import type { AlphaStore } from './store.ts';

/** The pauses between attempts, in minutes as the real provider takes them (1.7). */
export const RETRY_MINUTES = [1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480] as const;

/** How long the provider waits for an answer. */
export const ANSWER_TIMEOUT_MS = 10_000;
const MAX_IN_FLIGHT = 32;
const KEPT_ANSWER_CHARACTERS = 500;

type Options = {
  store: AlphaStore;
  journal: Journal;
  now: () => Date;
  webhookUrl: string;
  signatureKey: string;
  /** How long a minute of the retry schedule takes here. */
  minuteMs: number;
  answerTimeoutMs: number;
};
type Answer = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'> & {
  reason?: NonNullable<SentEvent['lastReason']>;
};

/**
 * Delivers events over HTTP, at least once and in no promised order.
 *
 * An event stays pending in the store until it is accepted or given up, so a
 * restart goes on with what a killed process has left.
 */
export class Deliveries {
  readonly #options: Options;
  readonly #queue: SentEvent[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #retries = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #watchers: (() => void)[] = [];

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes up what an earlier process has not finished. */
  resume(): void {
    const events = [...this.#options.store.events.values()];
    this.send(events.filter(({ state }) => state === 'pending'));
  }

  /** Delivers the events in the background; they must be in the store already. */
  send(events: readonly SentEvent[]): void {
    this.#queue.push(...events);
    this.#pump();
  }

  /** Delivers an event once more, as it was; throws a StoryRefusal when it is not known. */
  redeliver(eventId: string): void {
    const event = this.#options.store.events.get(eventId);
    if (event === undefined) throw new StoryRefusal(`There is no event ${eventId}.`);
    this.send([event]);
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
    for (const timer of this.#retries) clearTimeout(timer);
    this.#retries.clear();
    this.#queue.length = 0;
    await Promise.all(this.#running);
    this.#pump();
  }

  #pump(): void {
    while (this.#running.size < MAX_IN_FLIGHT) {
      const event = this.#queue.shift();
      if (event === undefined || this.#stop.signal.aborted) break;
      const run = this.#attempt(event).finally(() => {
        this.#running.delete(run);
        this.#pump();
      });
      this.#running.add(run);
    }
    if (this.#queue.length + this.#running.size + this.#retries.size > 0) return;
    for (const resolve of this.#watchers.splice(0)) resolve();
  }

  async #attempt(event: SentEvent): Promise<void> {
    const { store, journal, now } = this.#options;
    const at = now().toISOString();
    const { reason, ...answer } = await this.#post(event, at);
    if (this.#stop.signal.aborted) return;

    const attempt = event.attempts + 1;
    const pause = RETRY_MINUTES[event.attempts];
    const failed = pause === undefined ? 'given-up' : 'pending';
    const after: SentEvent = {
      ...event,
      attempts: attempt,
      firstAttemptAt: event.firstAttemptAt ?? at,
      lastReason: reason,
      state: answer.outcome === 'accepted' ? 'delivered' : failed,
    };
    const { id: eventId, type, merchantId, objectId } = event;
    journal.add({ kind: 'delivery', at, eventId, type, merchantId, objectId, attempt, ...answer });
    store.write({ kind: 'event', value: after });
    if (after.state === 'pending' && pause !== undefined) this.#retry(after, pause);
  }

  #retry(event: SentEvent, minutes: number): void {
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.send([event]);
    }, minutes * this.#options.minuteMs);
    this.#retries.add(timer);
  }

  async #post(event: SentEvent, at: string): Promise<Answer> {
    const timeout = AbortSignal.timeout(this.#options.answerTimeoutMs);
    try {
      const response = await fetch(this.#options.webhookUrl, {
        method: 'POST',
        // To the provider a redirect is a failure.
        redirect: 'manual',
        headers: this.#headers(event, at),
        body: event.body,
        signal: AbortSignal.any([timeout, this.#stop.signal]),
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

  #headers(event: SentEvent, at: string): Record<string, string> {
    const { signatureKey, webhookUrl } = this.#options;
    const { body, attempts, firstAttemptAt, lastReason } = event;
    const signature = signWebhook({ signatureKey, notificationUrl: webhookUrl, body });
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'alpha-sandbox',
      'X-Alpha-HMACSHA256-Signature': signature,
      'X-Alpha-Event-Type': event.type,
      'alpha-environment': 'Sandbox',
      'alpha-initial-delivery-timestamp': firstAttemptAt ?? at,
      ...(attempts > 0 && { 'alpha-retry-number': String(attempts) }),
      ...(attempts > 0 && lastReason && { 'alpha-retry-reason': lastReason }),
    };
  }
}
