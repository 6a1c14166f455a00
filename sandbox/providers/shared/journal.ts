const KEPT_ENTRIES = 2000;

/** One attempt to deliver a webhook, or the reason why none was made. */
export type DeliveryEntry = {
  kind: 'delivery';
  at: string;
  eventId: string;
  type: string;
  merchantId: string;
  objectId: string;
  attempt: number;
  outcome: 'accepted' | 'refused' | 'unreachable' | 'dropped' | 'withheld';
  status?: number;
  answer?: string;
  note?: string;
};

/** One request to the API, with the status of its response. */
type RequestEntry = {
  kind: 'request';
  at: string;
  method: string;
  url: string;
  status: number;
};

export type JournalEntry = DeliveryEntry | RequestEntry;

/** The newest 2,000 webhooks and API requests, oldest first. It never contains tokens. */
export class Journal {
  readonly #entries: JournalEntry[] = [];

  /** Adds an entry, and drops the oldest one above the limit. */
  add(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > KEPT_ENTRIES) this.#entries.shift();
  }

  /** Returns a copy of the entries, oldest first. */
  entries(): JournalEntry[] {
    return [...this.#entries];
  }
}
