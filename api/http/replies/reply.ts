import type { ServerResponse } from 'node:http';

/** A response with its own status or headers. The body may be bytes. */
export class Reply<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, status: number | undefined, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** A response that sends the caller to another address. */
export class Redirect {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }
}

/** One page of a list, and the position of its last item if more items follow. */
export class Page<Items> {
  readonly items: Items;
  readonly next: readonly string[] | undefined;

  constructor(items: Items, next: readonly string[] | undefined) {
    this.items = items;
    this.next = next;
  }
}

/** A response that goes on for as long as its stream does, as Server-Sent Events. */
export class EventStream {
  readonly source: StreamSource;

  constructor(source: StreamSource) {
    this.source = source;
  }
}

/** What writes a stream, once the headers of its response are set. */
export type StreamSource = {
  attach(response: ServerResponse): void;
  /** Ends it without a response. */
  end(reason: 'client_left'): void;
};

/** A response of text in pieces, each of which is made once the one before it was taken. */
export class Streamed {
  readonly pieces: AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(pieces: AsyncIterable<string>, headers: Readonly<Record<string, string>>) {
    this.pieces = pieces;
    this.headers = headers;
  }
}

/** Builds a response of `body` with its own status or headers. */
export function reply<const Body>(response: {
  body: Body;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}): Reply<Body> {
  return new Reply(response.body, response.status, response.headers ?? {});
}

/** Builds a response that goes on as the events of `source`. */
export function eventStream(source: StreamSource): EventStream {
  return new EventStream(source);
}

/** Builds a 302 response to an absolute URL. */
export function redirect(url: string): Redirect {
  return new Redirect(url);
}

/** Builds a response of bare items; `next`, the last item's position, becomes the `Link` header. */
export function page<const Items extends readonly unknown[]>(
  items: Items,
  next: readonly string[] | undefined,
): Page<Items> {
  return new Page(items, next);
}

/** Builds a response that is sent in pieces; the headers name its media type. */
export function streamed(
  pieces: AsyncIterable<string>,
  headers: Readonly<Record<string, string>>,
): Streamed {
  return new Streamed(pieces, headers);
}
