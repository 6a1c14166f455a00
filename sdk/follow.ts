import { errorOf, LoyaltyError } from './errors.ts';
import { createEventStreamParser, type EventStreamParser } from './event-stream-parser.ts';
import type { operations } from './generated/schema.ts';
import { jittered, wait } from './wait.ts';

type StreamOf<Id extends keyof operations> = operations[Id]['responses'] extends {
  200: { content: { 'text/event-stream': infer Event } };
}
  ? Event
  : never;
type Numbered<Event> = Event extends { id: unknown }
  ? Omit<Event, 'id'> & { id: string | undefined }
  : never;

/** A change of one's wallets or redemptions, or `reset`: read again what is shown. */
export type ConsumerEvent = Numbered<StreamOf<'followEvents'>>;
/** A redemption that was used at one of the shop's tills, or `reset`. */
export type ShopEvent = Numbered<StreamOf<'followShopEvents'>>;

export type FollowOptions = {
  /** Ends the iteration, without an error. */
  signal?: AbortSignal;
  /** Resumes after this event, for ten minutes. Default: from now on, which begins with `reset`. */
  lastEventId?: string;
  /** The shop to follow, for an operator of several. Default: that of the client. */
  shop?: string;
  /** Is told why the connection broke, each time before it is made again. */
  onDisconnect?(error: unknown): void;
};

export type StreamTiming = {
  /** The longest wait between two attempts to connect. */
  longestWaitMs: number;
  /** A connection that says nothing for so long is dead: the service speaks every 20 seconds. */
  silenceMs: number;
};

/** What holds unless a test is in a hurry. */
export const STREAM_TIMING: StreamTiming = { longestWaitMs: 30_000, silenceMs: 60_000 };
/** Until the service says how long to wait. */
const FIRST_WAIT_MS = 1_000;

/** How a stream is opened, and what it may send. */
export type StreamSource = {
  connect(headers: Record<string, string>, signal: AbortSignal): Promise<Response>;
  /** Others are left out: a later release may send more. */
  events: readonly string[];
};

/**
 * Follows a stream of events, and connects again when it breaks or ends, from where it was. The
 * first event of a stream that does not resume is `reset`: the stream is open, so that the
 * state that is read now misses no change after it.
 *
 * Throws a `LoyaltyError` when the service refuses for a reason that stays.
 */
export async function* follow<Event>(
  source: StreamSource,
  { signal = new AbortController().signal, lastEventId, onDisconnect }: FollowOptions,
  timing: StreamTiming,
): AsyncGenerator<Event, void, undefined> {
  // As in browsers, an empty id means that there is no id.
  let lastId = lastEventId || undefined;
  let firstWaitMs = FIRST_WAIT_MS;
  let failures = 0;
  while (!signal.aborted) {
    const parser = createEventStreamParser(lastId);
    let why: unknown;
    try {
      for await (const sent of connection(source, parser, signal, timing)) {
        const event: unknown = sent;
        if (isOneOf<Event>(event, source.events)) yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      why = error;
    }
    lastId = parser.lastId();
    const asksFor = parser.retryMs();
    if (asksFor !== undefined) {
      // The service has spoken, with its first line: the failures before that are over.
      firstWaitMs = asksFor;
      failures = 0;
    }
    onDisconnect?.(why);
    const own = Math.min(firstWaitMs * 2 ** failures, timing.longestWaitMs);
    failures += 1;
    const asked = why instanceof LoyaltyError ? (why.retryAfterSeconds ?? 0) * 1000 : 0;
    await wait(asked + jittered(own), signal).catch(() => undefined);
  }
}

/** What arrives in one connection, until it ends. */
async function* connection(
  source: StreamSource,
  parser: EventStreamParser,
  signal: AbortSignal,
  timing: StreamTiming,
) {
  const leave = new AbortController();
  const end = () => leave.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  const watch = createWatch(timing.silenceMs, () =>
    leave.abort(new Error('The stream is silent.')),
  );
  const lastId = parser.lastId();
  const headers = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) };
  try {
    const response = await source.connect(headers, leave.signal);
    if (!response.ok) throw errorOf(response, await response.json().catch(() => undefined));
    watch.restart();
    if (lastId === undefined) yield { id: undefined, event: 'reset', data: {} };
    for await (const text of textsOf(response, leave.signal)) {
      watch.restart();
      for (const { id, event, data } of parser.push(text)) {
        yield { id, event, data: data === '' ? {} : JSON.parse(data) };
      }
    }
  } finally {
    watch.stop();
    signal.removeEventListener('abort', end);
    // Also when the caller leaves its loop early.
    leave.abort();
  }
}

/**
 * The pieces of a body, until the signal is aborted, whose reason is thrown then. Not every browser
 * can iterate a body, and Node forgets a request's signal when it collects garbage.
 */
async function* textsOf({ body }: Response, signal: AbortSignal) {
  const reader = body?.getReader();
  const cancel = () => reader?.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  for (;;) {
    signal.throwIfAborted();
    const read = await reader?.read();
    signal.throwIfAborted();
    if (read?.value === undefined) return;
    yield decoder.decode(read.value, { stream: true });
  }
}

function createWatch(silenceMs: number, onSilence: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    restart() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, silenceMs);
    },
    stop: () => clearTimeout(timer),
  };
}

function isOneOf<Event>(sent: unknown, events: readonly string[]): sent is Event {
  return typeof sent === 'object' && sent !== null && 'event' in sent
    ? events.some((event) => event === sent.event)
    : false;
}

/** Refused for a reason that stays: a person who is suspended, or a shop that is not theirs. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof LoyaltyError) || [408, 429].includes(error.status)) return false;
  return error.status >= 400 && error.status < 500;
}
