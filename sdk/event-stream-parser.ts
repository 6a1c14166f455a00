/** An event as it was sent. */
export type SentEvent = { id: string | undefined; event: string; data: string };

export type EventStreamParser = {
  /** Takes the next piece of the text, and returns the events that it completes. */
  push(text: string): SentEvent[];
  /** The last id that was sent, also without an event: so the service keeps clients current. */
  lastId(): string | undefined;
  /** How long the service asks to wait before connecting again. */
  retryMs(): number | undefined;
};

/**
 * Creates a parser of Server-Sent Events as the HTML standard defines them. An id without data
 * counts, which parsers that only return events do not tell.
 */
export function createEventStreamParser(lastEventId?: string): EventStreamParser {
  let rest = '';
  let lastId = lastEventId;
  let pendingId = lastEventId;
  let retryMs: number | undefined;
  let event = '';
  let data: string[] = [];

  const take = (line: string): SentEvent | undefined => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) pendingId = value === '' ? undefined : value;
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
    return undefined;
  };

  const dispatch = (): SentEvent | undefined => {
    lastId = pendingId;
    const sent = { id: lastId, event: event === '' ? 'message' : event, data: data.join('\n') };
    const isEmpty = data.length === 0;
    event = '';
    data = [];
    return isEmpty ? undefined : sent;
  };

  return {
    push(text) {
      // A line may end in CR LF, whose halves may come in different pieces.
      const all = rest + text;
      const end = all.endsWith('\r') ? all.length - 1 : all.length;
      const lines = all.slice(0, end).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + all.slice(end);
      return lines.map(take).filter((sent) => sent !== undefined);
    },
    lastId: () => lastId,
    retryMs: () => retryMs,
  };
}
