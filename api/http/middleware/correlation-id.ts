import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';

declare module 'koa' {
  interface DefaultState {
    correlationId?: string;
    requestId?: string;
    /** The path pattern of the route that serves the request. */
    route?: string;
    /** The user whose token was sent, also where the request is refused. */
    userId?: string;
    /** The tenant in the path, whether or not it exists. */
    tenantId?: string | undefined;
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

  const given = ctx.get('x-correlation-id');
  const id = ACCEPTED.test(given) ? given : requestIdOf(ctx);
  ctx.state.correlationId = id;
  ctx.set(HEADER, id);
  return id;
}

/** Returns the id that we gave the request: unlike the correlation id, no caller chooses it. */
export function requestIdOf(ctx: Context): string {
  ctx.state.requestId ??= randomUUID();
  return ctx.state.requestId;
}

/** Returns the correlation id of the request being served, or undefined outside a request. */
export function currentCorrelationId(): string | undefined {
  return storage.getStore();
}
