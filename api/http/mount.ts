import Router from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import type { User } from '../../db/users/users.ts';
import { Refusal } from '../../domain/errors.ts';
import { authorize, countRequest } from './authorize.ts';
import type { Deps } from './deps.ts';
import { HttpRefusal, invalid } from './errors.ts';
import { refuseHostileData } from './hostile-data.ts';
import { type IdempotentCall, runIdempotently, scopeOf } from './idempotency.ts';
import {
  bytesReader,
  JSON_LIMIT_BYTES,
  jsonReader,
  WEBHOOK_LIMIT_BYTES,
} from './middleware/body.ts';
import { correlationIdOf } from './middleware/correlation-id.ts';
import { type RenderedReply, renderReply } from './render-reply.ts';
import { type Afterwards, parseParams, pathOf, type Route } from './route.ts';
import { namedShop } from './shop.ts';

/**
 * Serves the routes, each through the same steps: authentication, tenant, permission, validation,
 * handler. An unknown path gets 404, an unsupported method 405 with `Allow`.
 */
export function mount(routes: readonly Route[], deps: Deps) {
  // Each address has one spelling, because limits and idempotency keys are counted by path.
  const router = new Router({ strict: true, sensitive: true });
  for (const route of routes) {
    const serve = serveRoute(route, deps);
    router.register(pathOf(route), [route.method], serve);
  }
  const dispatch = router.routes();
  return async (ctx: Parameters<typeof dispatch>[0]): Promise<unknown> => {
    if (!hasPath(ctx))
      throw new Refusal('NOT_FOUND', 'There is nothing at this address. Check the address.');
    return dispatch(ctx, async () => refuseUnmatched(router, ctx.path, ctx.method));
  };
}

/** A request in the form for proxies names a full URL; one with an invalid host has no path. */
function hasPath(ctx: Pick<Context, 'path'>): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}

function refuseUnmatched(router: Router, path: string, method: string): never {
  const methods = router.match(path, method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0)
    throw new Refusal('NOT_FOUND', 'There is nothing at this address. Check the address.');
  const allow = [...new Set(methods)].join(', ');
  throw new HttpRefusal('NOT_FOUND', `${method} is not allowed here. Use ${allow}.`, 405, {
    headers: { Allow: allow },
    why: 'method_not_allowed',
  });
}

function serveRoute(route: Route, deps: Deps) {
  const read = bodyReaderOf(route);
  return async (ctx: Context & { params: Record<string, string> }): Promise<void> => {
    ctx.state.route = pathOf(route);
    const caller = {
      headers: ctx.headers,
      params: ctx.params,
      count: async (user: User) =>
        ctx.set(await countRequest(route, { user, headers: ctx.headers }, deps)),
    };
    const authorized = await authorize(route, caller, deps);
    const params = parseParams(ctx.params);
    const query = parseQuery(route, ctx);
    const { sent, ...content } = await read(ctx);

    const correlationId = correlationIdOf(ctx);
    const works: Parameters<Afterwards>[0][] = [];
    const request = {
      ...deps,
      ...authorized,
      ...content,
      params,
      query,
      tx: undefined,
      afterCommit: undefined,
      headers: ctx.headers,
      correlationId,
      afterwards: (work: Parameters<Afterwards>[0]) => works.push(work),
    };
    const address = () => new URL(`${deps.settings.apiBaseUrl}${ctx.path}${ctx.search}`);
    if (!route.idempotent) {
      const handling = async () => renderReply(route, await route.handle(request), address);
      send(ctx, await handling().finally(() => finish(works, deps)));
      return;
    }
    const call: IdempotentCall = {
      scope: scopeOf(route, request),
      sent,
      shop: namedShop(ctx.headers),
      sealed: route.sealed === true,
      requestId: correlationId,
      // `db` is the transaction as well, so everything the handler reads or writes is part of it.
      work: async (tx, afterCommit) =>
        renderReply(route, await route.handle({ ...request, db: tx, tx, afterCommit }), address),
    };
    send(ctx, await runIdempotently(call, deps).finally(() => finish(works, deps)));
  };
}

/** Does what a handler left to do, now that no transaction holds a connection. */
async function finish(works: readonly Parameters<Afterwards>[0][], deps: Deps): Promise<void> {
  for (const work of works) await work(deps);
}

/** The body as it was sent and as its schema parses it, or its bytes. */
type Content = { sent: unknown; body: unknown; rawBody: Buffer | undefined };

function bodyReaderOf(route: Route): (ctx: Context) => Promise<Content> {
  const nothing = { sent: undefined, body: undefined, rawBody: undefined };
  if (route.access === 'signed-webhook') {
    const read = bytesReader(route.bodyLimit ?? WEBHOOK_LIMIT_BYTES);
    return async (ctx) => ({ ...nothing, rawBody: await read(ctx) });
  }
  if (route.method === 'GET') return async () => nothing;

  const read = jsonReader(route.bodyLimit ?? JSON_LIMIT_BYTES);
  return async (ctx) => {
    const sent = await read(ctx);
    const body = route.body && parse('body', route.body, sent);
    return { ...nothing, sent, body };
  };
}

function parseQuery(route: Route, ctx: Context): unknown {
  if (!route.query) return undefined;
  refuseHostileData('query', ctx.query);
  return parse('query', route.query, ctx.query);
}

function parse(what: string, schema: z.ZodType, input: unknown): unknown {
  // The input tells a missing field from one of another type.
  const result = schema.safeParse(input, { reportInput: true });
  if (!result.success) throw invalid(what, result.error);
  return result.data;
}

function send(ctx: Context, { status, headers, body }: RenderedReply): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
  // Only a response with a tag can be known already; `If-None-Match: *` would match any other.
  if (ctx.response.etag && ctx.fresh) ctx.status = 304;
}
