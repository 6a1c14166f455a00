const KEPT_ENTRIES = 2000;

/** One attempt to deliver an event, or why none was made. */
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

/** One request to the API, and the status it was answered with. */
type RequestEntry = {
  kind: 'request';
  at: string;
  method: string;
  url: string;
  status: number;
};

export type JournalEntry = DeliveryEntry | RequestEntry;

/** What went over the wire, oldest first; the newest 2,000 entries. Tokens are never in it. */
export class Journal {
  readonly #entries: JournalEntry[] = [];

  /** Notes an entry, and forgets the oldest one when there are too many. */
  add(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > KEPT_ENTRIES) this.#entries.shift();
  }

  /** A copy of the entries, oldest first. */
  entries(): JournalEntry[] {
    return [...this.#entries];
  }
}
