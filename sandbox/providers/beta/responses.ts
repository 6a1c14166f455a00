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
  /** What an answer has to wait for, once its request was let in. */
  beforeAnswer: () => Promise<unknown>;
};

/** Notes every API request in the journal, without its secrets, and words every error. */
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
  const leave = limiter.enter(accessToken, { who, at: world.now().toISOString() });
  try {
    await parts.beforeAnswer();
    expireTokenByChance(world, accessToken);
    await answer(parts, ctx, next);
  } finally {
    leave();
  }
}

async function answer(
  { world, faults }: Parts,
  ctx: Context,
  next: () => Promise<unknown>,
): Promise<void> {
  const ordered = faults.take(ctx.path);
  if (ordered?.status === 429) {
    const { retryAfterSeconds } = ordered;
    const { perSecond, concurrent } = REAL_LIMITS;
    throw retryAfterSeconds === undefined
      ? tooMany('tokenLimit', perSecond)
      : tooMany('tokenConcurrentLimit', concurrent, retryAfterSeconds);
  }
  if (ordered !== undefined) {
    const wait = ordered.retryAfterSeconds;
    throw new BetaError(
      ordered.status,
      undefined,
      wait === undefined ? {} : { 'retry-after': String(wait) },
    );
  }
  const refusal = world.restChaos.refusal(ctx.method, ctx.path);
  if (refusal !== undefined) throw refusal;
  await next();
  // To this provider a path that does not exist is a wrong method.
  if (ctx.status === 404 && ctx.body === undefined) throw new BetaError(405);
}

function expireTokenByChance({ restChaos, store, now }: World, accessToken: string): void {
  const token = store.tokens.get(accessToken);
  // Without a refresh token the connection would never recover.
  if (token?.refresh === undefined || !restChaos.expires(token)) return;
  store.write({ kind: 'token', value: { ...token, expiresAt: now().getTime() } });
}

/** Whether the path is one of the REST API, which has limits. */
export function isRest(path: string): boolean {
  return path.startsWith('/v3/');
}

function withoutSecrets(url: string): string {
  return url.replace(/([?&](?:client_secret|code)=)[^&]*/g, '$1…');
}
