import { nextLink } from './pagination.ts';
import { Page, Redirect, Reply } from './replies.ts';
import type { Route } from './route.ts';

/** What a route answers, before it is written to a connection. */
export type RenderedReply = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: unknown;
};

/**
 * The output of a handler's answer to a request at `address`. What the response schema does not
 * declare is dropped. Throws when the schema refuses the answer: that is our bug.
 */
export function renderReply(route: Route, answer: unknown, address: () => URL): RenderedReply {
  const status = route.status ?? 200;
  if (answer instanceof Redirect) {
    return { status: 302, headers: { Location: answer.url }, body: '' };
  }
  if (answer instanceof Page) {
    const headers = answer.next ? { Link: nextLink(address(), answer.next) } : {};
    return { status, headers, body: declared(route, answer.items) };
  }
  if (answer instanceof Reply) {
    const { headers } = answer;
    return { status: answer.status ?? status, headers, body: declared(route, answer.body) };
  }
  return { status, headers: {}, body: declared(route, answer) };
}

function declared(route: Route, body: unknown): unknown {
  if (!route.response) return body;
  const result = route.response.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`${route.method} ${route.path} answers against its schema`, {
    cause: result.error,
  });
}
