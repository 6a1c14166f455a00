import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';

declare module 'koa' {
  interface DefaultState {
    correlationId?: string;
    /** The path pattern of the route that serves the request. */
    route?: string;
  }
}

const HEADER = 'X-Correlation-Id';
const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const storage = new AsyncLocalStorage<string>();

/** Serves the request under its correlation id, which every log line it writes then carries. */
export function correlationId(ctx: Context, next: Next): Promise<unknown> {
  return storage.run(correlationIdOf(ctx), next);
}

/** Returns the caller's id if it is acceptable, else a new one, and sets it on the response. */
export function correlationIdOf(ctx: Context): string {
  const known = ctx.state.correlationId;
  if (known !== undefined) return known;

  const given = ctx.get(HEADER);
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state.correlationId = id;
  ctx.set(HEADER, id);
  return id;
}

/** Returns the correlation id of the request being served, or undefined outside a request. */
export function currentCorrelationId(): string | undefined {
  return storage.getStore();
}
