const KEPT_SETTLED = 1000;

/** The webhooks to deliver, by id. The oldest settled ones are dropped to limit memory use. */
export class Outbox<T extends { id: string; state: string }> {
  readonly #entries = new Map<string, T>();
  #prunedAbove = 2 * KEPT_SETTLED;

  /** Adds or replaces an entry. */
  put(entry: T): void {
    this.#entries.set(entry.id, entry);
    if (this.#entries.size > this.#prunedAbove) this.prune();
  }

  /** Returns the entry; undefined when it is unknown or was dropped. */
  get(id: string): T | undefined {
    return this.#entries.get(id);
  }

  /** Returns all entries, oldest first. */
  all(): T[] {
    return [...this.#entries.values()];
  }

  /** Keeps the pending entries and the newest 1,000 settled ones. */
  prune(): void {
    const settled = this.all().filter(({ state }) => state !== 'pending');
    for (const { id } of settled.slice(0, -KEPT_SETTLED)) this.#entries.delete(id);
    this.#prunedAbove = this.#entries.size + KEPT_SETTLED;
  }
}
