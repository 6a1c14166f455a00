const MAX_IN_FLIGHT = 32;

/** Processes items in the background, up to 32 at a time, some of them after a delay. */
export class DeliveryQueue<T> {
  readonly #work: (item: T) => Promise<void>;
  readonly #items: T[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #stop = new AbortController();
  #watchers: (() => void)[] = [];

  constructor(work: (item: T) => Promise<void>) {
    this.#work = work;
  }

  /** Aborted when the queue stops. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Queues the items. */
  add(...items: T[]): void {
    this.#items.push(...items);
    this.#pump();
  }

  /** Calls `then` after a delay; the queue is not idle until then. */
  after(ms: number, then: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
      this.#pump();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  /** Cancels a callback of `after`. */
  cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }

  /** Resolves when nothing is queued, delayed or in progress. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push(resolve);
      this.#pump();
    });
  }

  /** Drops queued and delayed items, aborts `stopped`, and resolves when no work is in progress. */
  async stop(): Promise<void> {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#items.length = 0;
    await Promise.all(this.#running);
    this.#pump();
  }

  #pump(): void {
    while (this.#running.size < MAX_IN_FLIGHT && !this.#stop.signal.aborted) {
      const item = this.#items.shift();
      if (item === undefined) break;
      const run = this.#work(item).finally(() => {
        this.#running.delete(run);
        this.#pump();
      });
      this.#running.add(run);
    }
    if (this.#items.length + this.#timers.size + this.#running.size > 0) return;
    for (const resolve of this.#watchers.splice(0)) resolve();
  }
}
