import { expect } from 'vitest';
import { z } from 'zod';

export type ReceivedEvent = { id: string; event: string; data: unknown };

export type OpenStream = {
  status: number;
  headers: Headers;
  /** What has arrived so far. */
  events: ReceivedEvent[];
  /** The comments that have arrived so far. */
  comments: string[];
  /** The last id that was sent, also without an event. */
  lastId(): string;
  /** Whether the server has ended the response. */
  isEnded(): boolean;
  /** Waits until so many events have arrived, and returns all. */
  until(count: number): Promise<ReceivedEvent[]>;
  close(): Promise<void>;
};

const SOON = { timeout: 10_000, interval: 10 };

/** Opens a stream of events, as an application does, and reads it until it is closed. */
export async function openStream(
  url: string,
  token: string,
  { lastEventId, headers = {} }: { lastEventId?: string; headers?: Record<string, string> } = {},
): Promise<OpenStream> {
  const leave = new AbortController();
  const response = await fetch(url, {
    signal: leave.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      ...headers,
    },
  });
  const events: ReceivedEvent[] = [];
  const comments: string[] = [];
  let lastId = '';
  let isEnded = false;
  const read = async () => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const { id, event, data, comment } = fieldsOf(block);
        lastId = id ?? lastId;
        if (comment !== undefined) comments.push(comment);
        if (event !== undefined && data !== undefined) {
          events.push({ id: lastId, event, data: JSON.parse(data) });
        }
      }
    }
  };
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    comments,
    lastId: () => lastId,
    isEnded: () => isEnded,
    async until(count) {
      await expect.poll(() => events.length, SOON).toBeGreaterThanOrEqual(count);
      return events;
    },
    async close() {
      leave.abort();
      await reading;
    },
  };
}

const Fields = z.object({
  id: z.string().optional(),
  event: z.string().optional(),
  data: z.string().optional(),
  comment: z.string().optional(),
});

function fieldsOf(block: string): z.infer<typeof Fields> {
  const fields = block.split('\n').map((line) => {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    return [name === '' ? 'comment' : name, value];
  });
  return Fields.parse(Object.fromEntries(fields));
}
