import type { ChaosDial } from '../shared/chaos.ts';
import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { type Batching, merge } from './batching.ts';
import { type Answer, postJson } from './deliver.ts';
import type { Message } from './model.ts';
import { describeMessage } from './publish.ts';
import type { BetaStore } from './store.ts';

/** The pauses of the retry mode, in minutes. The real provider promises no second attempt. */
export const RETRY_MINUTES = [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64] as const;

const MAX_IN_FLIGHT = 32;
const LONGEST_DELAY_MINUTES = 3;
/** A message is not unlucky more often than this, so that the retry mode keeps its promise. */
const MAX_UNLUCKY_ATTEMPTS = 5;

/** Which header carries the webhook secret. */
export type AuthStyle = 'x-beta-auth' | 'x-clover-auth' | 'bearer';
export type DeliveryOptions = {
  store: BetaStore;
  journal: Journal;
  dial: ChaosDial;
  now: () => Date;
  appId: string;
  webhookUrl: string;
  webhookSecret: string;
  authStyle: AuthStyle;
  retryMode: boolean;
  /** How long a minute of delays and of the retry schedule takes here. */
  minuteMs: number;
  answerTimeoutMs: number;
};

/**
 * Delivers messages over HTTP, once each and in no promised order; in retry mode until a 200.
 *
 * A message stays pending in the store until its last attempt has ended, so a restart goes on with
 * what a killed process has left.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  #batching: Batching | undefined;
  #gathered: Message[] = [];
  #queue: Message[] = [];
  /** Those that wait for another message to overtake them, a minute at most. */
  #held: { message: Message; timer: NodeJS.Timeout }[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #watchers: (() => void)[] = [];

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Puts messages that come close together into one from now on, or none when undefined. */
  setBatching(batching: Batching | undefined): void {
    this.#batching = batching;
  }

  /** Takes up what an earlier process has not finished. */
  resume(): void {
    const messages = [...this.#options.store.messages.values()];
    this.#queue.push(...messages.filter(({ state }) => state === 'pending'));
    this.#pump();
  }

  /** Delivers the messages in the background; they must be in the store already. */
  send(messages: readonly Message[]): void {
    if (this.#batching === undefined) {
      for (const message of messages) this.#enqueue(message);
      return;
    }
    this.#gathered.push(...messages);
    if (this.#gathered.length === messages.length) {
      this.#after(this.#batching.windowMs, () => this.#sendGathered());
    }
  }

  /** Delivers a message once more, as it was; throws a StoryRefusal when it is not known. */
  redeliver(messageId: string): void {
    const message = this.#options.store.messages.get(messageId);
    if (message === undefined) throw new CommandRefused(`There is no message ${messageId}.`);
    this.#queue.push(message);
    this.#pump();
  }

  /** Resolves when nothing is queued, under way or waiting for its time. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push(resolve);
      this.#pump();
    });
  }

  /** Breaks off what is under way; it stays pending in the store. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#queue = [];
    this.#held = [];
    await Promise.all(this.#running);
    this.#pump();
  }

  #sendGathered(): void {
    const merged = merge(this.#gathered, this.#batching ?? { windowMs: 0 });
    this.#gathered = [];
    this.#options.store.write(...merged.map((value) => ({ kind: 'message' as const, value })));
    for (const message of merged) if (message.state === 'pending') this.#enqueue(message);
  }

  #enqueue(message: Message): void {
    const { dial, minuteMs } = this.#options;
    if (dial.hits('delay', message.id)) {
      this.#after(dial.draw('delay by', message.id) * minuteMs * LONGEST_DELAY_MINUTES, () =>
        this.#queue.push(message),
      );
    } else if (dial.hits('reorder', message.id)) {
      const timer = this.#after(minuteMs, () => this.#release());
      this.#held.push({ message, timer });
    } else this.#queue.push(message);
    this.#pump();
  }

  #after(ms: number, then: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
      this.#pump();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #pump(): void {
    while (this.#running.size < MAX_IN_FLIGHT && !this.#stop.signal.aborted) {
      const message = this.#queue.shift();
      if (message === undefined) break;
      const run = this.#attempt(message).finally(() => {
        this.#running.delete(run);
        this.#release();
        this.#pump();
      });
      this.#running.add(run);
    }
    if (this.#queue.length + this.#timers.size + this.#running.size > 0) return;
    for (const resolve of this.#watchers.splice(0)) resolve();
  }

  #release(): void {
    for (const { message, timer } of this.#held.splice(0)) {
      clearTimeout(timer);
      this.#timers.delete(timer);
      this.#queue.push(message);
    }
  }

  async #attempt(message: Message): Promise<void> {
    const { store, retryMode, minuteMs } = this.#options;
    const answers = await this.#deliver(message);
    if (this.#stop.signal.aborted) return;

    this.#note(message, answers);
    const accepted =
      message.state === 'delivered' || answers.some(({ outcome }) => outcome === 'accepted');
    const pause = retryMode ? RETRY_MINUTES[message.attempts] : undefined;
    const failed = pause === undefined ? 'lost' : 'pending';
    const after: Message = {
      ...message,
      attempts: message.attempts + 1,
      state: accepted ? 'delivered' : failed,
    };
    store.write({ kind: 'message', value: after });
    if (after.state === 'pending' && pause !== undefined) {
      this.#after(pause * minuteMs, () => this.#queue.push(after));
    }
  }

  /** One attempt, which a fault may drop, spoil or double. */
  async #deliver(message: Message): Promise<Answer[]> {
    const { dial, webhookSecret } = this.#options;
    const isUnlucky = (fault: 'drop' | 'wrongKey') =>
      message.attempts < MAX_UNLUCKY_ATTEMPTS && dial.hits(fault, message.id);
    if (isUnlucky('drop')) return [{ outcome: 'dropped', note: 'Dropped by chance.' }];
    const secret = isUnlucky('wrongKey') ? `not-${webhookSecret}` : webhookSecret;
    const times = dial.hits('duplicate', message.id) ? 2 : 1;
    return Promise.all(Array.from({ length: times }, () => this.#post(message, secret)));
  }

  #post({ merchants }: Message, secret: string): Promise<Answer> {
    const { appId, webhookUrl, authStyle, answerTimeoutMs: timeoutMs } = this.#options;
    const headers: Record<string, string> =
      authStyle === 'bearer'
        ? { Authorization: `Bearer ${secret}` }
        : { [authStyle === 'x-beta-auth' ? 'X-Beta-Auth' : 'X-Clover-Auth']: secret };
    const stop = this.#stop.signal;
    return postJson(webhookUrl, JSON.stringify({ appId, merchants }), { headers, timeoutMs, stop });
  }

  #note(message: Message, answers: readonly Answer[]): void {
    const at = this.#options.now().toISOString();
    const about = { eventId: message.id, attempt: message.attempts + 1 };
    for (const answer of answers) {
      const what = describeMessage(message);
      this.#options.journal.add({ kind: 'delivery', at, ...about, ...what, ...answer });
    }
  }
}
