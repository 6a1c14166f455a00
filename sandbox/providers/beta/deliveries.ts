import type { ChaosDial } from '../shared/chaos.ts';
import { DeliveryQueue } from '../shared/delivery-queue.ts';
import type { Journal } from '../shared/journal.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { type Batching, merge } from './batching.ts';
import { type AttemptResult, postJson } from './deliver.ts';
import type { Message } from './model.ts';
import { describeMessage } from './publish.ts';
import type { BetaStore } from './store.ts';

/** The pauses of the retry mode, in minutes. The real provider guarantees no second attempt. */
export const RETRY_MINUTES = [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64] as const;

const LONGEST_DELAY_MINUTES = 3;
/** Chaos spoils no more attempts of a message than this, so that retry mode delivers it. */
const MAX_CHAOS_ATTEMPTS = 5;

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
  /** The length of a minute of delays and of the retry schedule here. */
  minuteMs: number;
  answerTimeoutMs: number;
};

/**
 * Delivers messages over HTTP, once each and in no guaranteed order; in retry mode until a 200.
 *
 * A message stays pending in the store until its last attempt has ended, so that a restart
 * continues what a killed process left.
 */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #queue: DeliveryQueue<Message>;
  #batching: Batching | undefined;
  #gathered: Message[] = [];
  /** Messages that wait for a later one to overtake them, a minute at most. */
  #held: { message: Message; timer: NodeJS.Timeout }[] = [];

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#queue = new DeliveryQueue((message) =>
      this.#attempt(message).finally(() => this.#release()),
    );
  }

  /** Sets how messages are merged from now on; undefined sends each on its own. */
  setBatching(batching: Batching | undefined): void {
    this.#batching = batching;
  }

  /** Continues the deliveries that an earlier process left unfinished. */
  resume(): void {
    const messages = this.#options.store.messages.all();
    this.#queue.add(...messages.filter(({ state }) => state === 'pending'));
  }

  /** Delivers the messages in the background; they must already be in the store. */
  send(messages: readonly Message[]): void {
    if (this.#batching === undefined) {
      for (const message of messages) this.#enqueue(message);
      return;
    }
    this.#gathered.push(...messages);
    if (this.#gathered.length === messages.length) {
      this.#queue.after(this.#batching.windowMs, () => this.#sendGathered());
    }
  }

  /** Delivers a message once more, unchanged; throws a CommandRefused when it is unknown. */
  redeliver(messageId: string): void {
    const message = this.#options.store.messages.get(messageId);
    if (message === undefined) throw new CommandRefused(`There is no message ${messageId}.`);
    this.#queue.add(message);
  }

  /** Resolves when nothing is queued, delayed or in progress. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Aborts deliveries in progress; their messages stay pending in the store. */
  async stop(): Promise<void> {
    this.#held = [];
    await this.#queue.stop();
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
      const waitMs = dial.draw('delay by', message.id) * minuteMs * LONGEST_DELAY_MINUTES;
      this.#queue.after(waitMs, () => this.#queue.add(message));
    } else if (dial.hits('reorder', message.id)) {
      const timer = this.#queue.after(minuteMs, () => this.#release());
      this.#held.push({ message, timer });
    } else this.#queue.add(message);
  }

  #release(): void {
    for (const { message, timer } of this.#held.splice(0)) {
      this.#queue.cancel(timer);
      this.#queue.add(message);
    }
  }

  async #attempt(message: Message): Promise<void> {
    const { store, retryMode, minuteMs } = this.#options;
    const answers = await this.#deliver(message);
    if (this.#queue.stopped.aborted) return;

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
      this.#queue.after(pause * minuteMs, () => this.#queue.add(after));
    }
  }

  /** Makes one attempt, which chaos may drop, spoil or duplicate. */
  async #deliver(message: Message): Promise<AttemptResult[]> {
    const { dial, webhookSecret } = this.#options;
    const isSpoilt = (fault: 'drop' | 'wrongKey') =>
      message.attempts < MAX_CHAOS_ATTEMPTS && dial.hits(fault, message.id);
    if (isSpoilt('drop')) return [{ outcome: 'dropped', note: 'Dropped by chance.' }];
    const secret = isSpoilt('wrongKey') ? `not-${webhookSecret}` : webhookSecret;
    const times = dial.hits('duplicate', message.id) ? 2 : 1;
    return Promise.all(Array.from({ length: times }, () => this.#post(message, secret)));
  }

  #post({ merchants }: Message, secret: string): Promise<AttemptResult> {
    const { appId, webhookUrl, authStyle, answerTimeoutMs: timeoutMs } = this.#options;
    const headers: Record<string, string> =
      authStyle === 'bearer'
        ? { Authorization: `Bearer ${secret}` }
        : { [authStyle === 'x-beta-auth' ? 'X-Beta-Auth' : 'X-Clover-Auth']: secret };
    const stop = this.#queue.stopped;
    return postJson(webhookUrl, JSON.stringify({ appId, merchants }), { headers, timeoutMs, stop });
  }

  #note(message: Message, answers: readonly AttemptResult[]): void {
    const at = this.#options.now().toISOString();
    const about = { eventId: message.id, attempt: message.attempts + 1 };
    for (const answer of answers) {
      const what = describeMessage(message);
      this.#options.journal.add({ kind: 'delivery', at, ...about, ...what, ...answer });
    }
  }
}
