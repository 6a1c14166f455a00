import type { Route } from '../route.ts';
import { nextLink } from './pagination.ts';
import { EventStream, Page, Redirect, Reply, Streamed } from './reply.ts';

/** The response of a route, before it is written to a connection. */
export type RenderedReply = {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Data, bytes, or an `EventStream`, which writes itself. */
  body: unknown;
};

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies that gather a response before they pass it on must not, for this one.
  'X-Accel-Buffering': 'no',
};

/**
 * Renders what a handler returned for a request at `address`. Fields that the response schema does
 * not declare are dropped. Throws when the schema rejects the value, which is a bug of ours.
 */
export function renderReply(route: Route, result: unknown, address: () => URL): RenderedReply {
  const status = route.status ?? 200;
  if (result instanceof Redirect) {
    return { status: 302, headers: { Location: result.url }, body: '' };
  }
  if (result instanceof EventStream) return { status, headers: STREAM_HEADERS, body: result };
  if (result instanceof Streamed) {
    return { status, headers: result.headers, body: result };
  }
  if (result instanceof Page) {
    const headers = result.next ? { Link: nextLink(address(), result.next) } : {};
    return { status, headers, body: stripUndeclared(route, result.items) };
  }
  if (result instanceof Reply) {
    const { headers } = result;
    return { status: result.status ?? status, headers, body: stripUndeclared(route, result.body) };
  }
  return { status, headers: {}, body: stripUndeclared(route, result) };
}

function stripUndeclared(route: Route, body: unknown): unknown {
  if (!route.response) return body;
  const result = route.response.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`${route.method} ${route.path} violates its response schema`, {
    cause: result.error,
  });
}
