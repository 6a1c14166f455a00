import type { Context } from 'koa';
import { expireToken } from './grants.ts';
import type { SCOPES, Token } from './model.ts';
import { AlphaError } from './refusal.ts';
import type { World } from './world.ts';

/** Returns the request's token; throws 401 when it is invalid, 403 when it lacks the scope. */
export function authorize(world: World, ctx: Context, scope: (typeof SCOPES)[number]): Token {
  const token = validToken(world, ctx);
  if (world.restChaos.expires(token)) {
    expireToken(world, token);
    throw expired();
  }
  if (!token.scopes.includes(scope)) {
    throw new AlphaError(403, 'INSUFFICIENT_SCOPES', `The token lacks ${scope}.`);
  }
  return token;
}

/** Returns the request's token, with any scopes; throws 401 when it is invalid. */
export function validToken(world: World, ctx: Context): Token {
  const [, accessToken] = /^Bearer (\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  const token = accessToken === undefined ? undefined : world.store.tokens.get(accessToken);
  if (token === undefined) {
    throw new AlphaError(401, 'UNAUTHORIZED', 'This request could not be authorized.');
  }
  if (token.revoked) throw new AlphaError(401, 'ACCESS_TOKEN_REVOKED', 'The token was revoked.');
  if (Date.parse(token.expiresAt) <= world.now().getTime()) throw expired();
  return token;
}

function expired(): AlphaError {
  return new AlphaError(401, 'ACCESS_TOKEN_EXPIRED', 'The token has expired.');
}
