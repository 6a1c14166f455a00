import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'koa';

declare module 'koa' {
  interface DefaultState {
    correlationId?: string;
    /** The pattern of the route that serves the request. */
    route?: string;
  }
}

const HEADER = 'X-Correlation-Id';
const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;
const storage = new AsyncLocalStorage<string>();

/** Serves the request under its correlation id, so that every log line written on the way has it. */
export function correlationId(ctx: Context, next: Next): Promise<unknown> {
  return storage.run(correlationIdOf(ctx), next);
}

/** The id the caller gave, if acceptable, or else a new one; from then on the response echoes it. */
export function correlationIdOf(ctx: Context): string {
  const known = ctx.state.correlationId;
  if (known !== undefined) return known;

  const given = ctx.get(HEADER);
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state.correlationId = id;
  ctx.set(HEADER, id);
  return id;
}

/** The correlation id of the request being served, or undefined outside of any. */
export function currentCorrelationId(): string | undefined {
  return storage.getStore();
}
