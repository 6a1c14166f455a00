import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { validToken } from './bearer.ts';
import { exchangeCode, refresh, revokeAccessToken, revokeTokens } from './grants.ts';
import type { Token } from './model.ts';
import { AlphaError } from './refusal.ts';
import type { World } from './world.ts';

const text = z.string().max(1024).nullish();
const TokenRequest = z.object({
  client_id: z.string(),
  client_secret: text,
  grant_type: z.enum(['authorization_code', 'refresh_token']),
  code: text,
  redirect_uri: text,
  refresh_token: text,
  scopes: z.array(z.string()).nullish(),
  short_lived: z.boolean().nullish(),
});
const RevokeRequest = z.object({
  client_id: z.string(),
  access_token: text,
  merchant_id: text,
  revoke_only_access_token: z.boolean().nullish(),
});

/** The OAuth endpoints that the app calls: to obtain, refresh, revoke and inspect tokens. */
export function createOAuth(world: World): Router {
  const { app, store } = world;
  const router = new Router({ prefix: '/oauth2' });
  router.use(
    bodyParser({
      enableTypes: ['json'],
      onerror: () => {
        throw new AlphaError(400, 'BAD_REQUEST', 'The body is not JSON.');
      },
    }),
  );

  router.post('/token', (ctx) => {
    const request = read(TokenRequest, ctx);
    if (request.client_id !== app.id || request.client_secret !== app.secret) throw unauthorized();
    const token = grantToken(world, request);
    if (token === undefined) throw unauthorized();
    world.restChaos.spare(token.accessToken);
    ctx.body = {
      access_token: token.accessToken,
      token_type: 'bearer',
      expires_at: toSeconds(token.expiresAt),
      merchant_id: token.merchantId,
      refresh_token: token.refreshToken,
      short_lived: request.short_lived ?? false,
    };
  });

  router.post('/revoke', (ctx) => {
    if (ctx.get('Authorization') !== `Client ${app.secret}`) throw unauthorized();
    const request = read(RevokeRequest, ctx);
    if (request.client_id !== app.id) throw unauthorized();
    const { access_token: accessToken, merchant_id: merchantId } = request;
    if ((accessToken == null) === (merchantId == null)) {
      throw new AlphaError(400, 'BAD_REQUEST', 'Send either access_token or merchant_id.');
    }
    const tokens = [...store.tokens.values()];
    const token = tokens.find((it) =>
      accessToken == null ? it.merchantId === merchantId : it.accessToken === accessToken,
    );
    if (token === undefined) throw new AlphaError(404, 'NOT_FOUND', 'There is no such token.');
    const isOnlyOne = accessToken != null && request.revoke_only_access_token === true;
    if (isOnlyOne) revokeAccessToken(world, token);
    else revokeTokens(world, token.merchantId, 'APPLICATION');
    ctx.body = { success: true };
  });

  router.post('/token/status', (ctx) => {
    const { scopes, expiresAt, merchantId } = statusToken(world, ctx);
    ctx.body = {
      scopes,
      expires_at: toSeconds(expiresAt),
      client_id: app.id,
      merchant_id: merchantId,
    };
  });
  return router;
}

function grantToken(world: World, request: z.output<typeof TokenRequest>): Token | undefined {
  const options = {
    scopes: request.scopes ?? undefined,
    isShortLived: request.short_lived ?? false,
  };
  if (request.grant_type === 'refresh_token') {
    const refreshToken = requireParameter(request.refresh_token, 'refresh_token');
    return refresh(world, { ...options, refreshToken });
  }
  const code = requireParameter(request.code, 'code');
  return exchangeCode(world, { ...options, code, redirectUri: request.redirect_uri ?? undefined });
}

/** Returns the request's token; the status endpoint does not say why a token is invalid. */
function statusToken(world: World, ctx: Context): Token {
  try {
    return validToken(world, ctx);
  } catch (error) {
    if (error instanceof AlphaError) throw unauthorized();
    throw error;
  }
}

function read<T extends z.ZodType>(shape: T, ctx: Context): z.output<T> {
  const { data, error } = shape.safeParse(ctx.request.body);
  if (data !== undefined) return data;
  const field = error?.issues[0]?.path.join('.');
  throw new AlphaError(400, 'BAD_REQUEST', 'The request is invalid.', { field });
}

function requireParameter(value: string | null | undefined, field: string): string {
  if (value == null || value === '') {
    throw new AlphaError(400, 'MISSING_REQUIRED_PARAMETER', `${field} is missing.`, { field });
  }
  return value;
}

function unauthorized(): AlphaError {
  return new AlphaError(401, 'UNAUTHORIZED', 'Not Authorized');
}

/** Formats a time in whole seconds, as OAuth does. */
function toSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}
