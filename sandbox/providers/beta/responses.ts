import type { Context, Middleware } from 'koa';
import type { RestFaults } from '../shared/rest-faults.ts';
import { type Limiter, REAL_LIMITS, tooMany } from './limits.ts';
import { BetaError } from './refusal.ts';
import { bearerOf } from './rest.ts';
import type { World } from './world.ts';

type Parts = {
  world: World;
  faults: RestFaults;
  limiter: Limiter;
  /** Awaited before each response, once the request was admitted. */
  beforeAnswer: () => Promise<unknown>;
};

/** Adds every API request to the journal, without secrets, and renders errors. */
export function answerAsProvider(parts: Parts): Middleware {
  const { world } = parts;
  return async (ctx, next) => {
    try {
      if (isRest(ctx.path)) await answerWithinLimits(parts, ctx, next);
      else await answer(parts, ctx, next);
    } catch (error) {
      if (!(error instanceof BetaError)) throw error;
      ctx.status = error.status;
      ctx.body = error.body;
      ctx.set(error.headers);
    } finally {
      const { method, status } = ctx;
      const url = withoutSecrets(ctx.url);
      world.journal.add({ kind: 'request', at: world.now().toISOString(), method, url, status });
    }
  };
}

async function answerWithinLimits(
  parts: Parts,
  ctx: Context,
  next: () => Promise<unknown>,
): Promise<void> {
  const { world, limiter } = parts;
  const accessToken = bearerOf(ctx) ?? '';
  const who = world.store.tokens.get(accessToken)?.merchantId;
  const end = limiter.enter(accessToken, { who, at: world.now().toISOString() });
  try {
    await parts.beforeAnswer();
    expireTokenByChance(world, accessToken);
    await answer(parts, ctx, next);
  } finally {
    end();
  }
}

async function answer(
  { world, faults }: Parts,
  ctx: Context,
  next: () => Promise<unknown>,
): Promise<void> {
  const fault = faults.take(ctx.path);
  if (fault?.status === 429) {
    const { retryAfterSeconds } = fault;
    const { perSecond, concurrent } = REAL_LIMITS;
    throw retryAfterSeconds === undefined
      ? tooMany('tokenLimit', perSecond)
      : tooMany('tokenConcurrentLimit', concurrent, retryAfterSeconds);
  }
  if (fault !== undefined) {
    const wait = fault.retryAfterSeconds;
    throw new BetaError(
      fault.status,
      undefined,
      wait === undefined ? {} : { 'retry-after': String(wait) },
    );
  }
  const refusal = world.restChaos.refusal(ctx.method, ctx.path);
  if (refusal !== undefined) throw refusal;
  await next();
  // This provider answers a path that does not exist with 405.
  if (ctx.status === 404 && ctx.body === undefined) throw new BetaError(405);
}

function expireTokenByChance({ restChaos, store, now }: World, accessToken: string): void {
  const token = store.tokens.get(accessToken);
  // Without a refresh token the connection would never recover.
  if (token?.refresh === undefined || !restChaos.expires(token)) return;
  store.write({ kind: 'token', value: { ...token, expiresAt: now().getTime() } });
}

/** Whether the path belongs to the REST API, which has limits. */
export function isRest(path: string): boolean {
  return path.startsWith('/v3/');
}

function withoutSecrets(url: string): string {
  return url.replace(/([?&](?:client_secret|code)=)[^&]*/g, '$1…');
}
