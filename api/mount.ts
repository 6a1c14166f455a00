import Router from '@koa/router';
import type { Context } from 'koa';
import type { z } from 'zod';
import { Refusal } from '../domain/errors.ts';
import { Page, Redirect, Reply } from './answers.ts';
import type { Deps } from './deps.ts';
import { HttpRefusal, invalid } from './errors.ts';
import { admit } from './gate.ts';
import {
  bytesReader,
  JSON_LIMIT_BYTES,
  jsonReader,
  WEBHOOK_LIMIT_BYTES,
} from './middleware/body.ts';
import { correlationIdOf } from './middleware/correlation-id.ts';
import { nextLink } from './paging.ts';
import { refuseHostileData } from './plain-data.ts';
import { parseParams, pathOf, type Route } from './route.ts';

/** What a route answers, before it is written to a connection. */
type Output = { status: number; headers: Readonly<Record<string, string>>; body: unknown };

/**
 * Serves the routes, each through the same steps: authentication, tenant, permission, validation,
 * handler. An unknown path is 404, and an unknown method of a known one 405 with `Allow`.
 */
export function mount(routes: readonly Route[], deps: Deps) {
  // One spelling of each address: limits and idempotency keys are counted by path.
  const router = new Router({ strict: true, sensitive: true });
  for (const route of routes) {
    const serve = serveRoute(route, deps);
    router.register(pathOf(route), [route.method], serve);
  }
  const dispatch = router.routes();
  return (ctx: Parameters<typeof dispatch>[0]): Promise<unknown> =>
    dispatch(ctx, async () => refuseUnmatched(router, ctx.path, ctx.method));
}

function refuseUnmatched(router: Router, path: string, method: string): never {
  const methods = router.match(path, method).path.flatMap((layer) => layer.methods);
  if (methods.length === 0) throw new Refusal('NOT_FOUND', 'There is nothing at this address.');
  const allow = [...new Set(methods)].join(', ');
  throw new HttpRefusal('NOT_FOUND', `${method} is not possible here, only ${allow}.`, 405, {
    Allow: allow,
  });
}

function serveRoute(route: Route, deps: Deps) {
  const read = bodyOf(route);
  return async (ctx: Context & { params: Record<string, string> }): Promise<void> => {
    ctx.state.route = pathOf(route);
    const admission = await admit(route, { headers: ctx.headers, params: ctx.params }, deps);
    const params = parseParams(ctx.params);
    const query = queryOf(route, ctx);
    const content = await read(ctx);

    const answer = await route.handle({
      ...deps,
      ...admission,
      ...content,
      params,
      query,
      headers: ctx.headers,
      correlationId: correlationIdOf(ctx),
    });
    send(
      ctx,
      outputOf(route, answer, new URL(`${deps.settings.apiBaseUrl}${ctx.path}${ctx.search}`)),
    );
  };
}

type Content = { body: unknown; rawBody: Buffer | undefined };

function bodyOf(route: Route): (ctx: Context) => Promise<Content> {
  const nothing = { body: undefined, rawBody: undefined };
  if (route.access === 'signed-webhook') {
    const read = bytesReader(route.bodyLimit ?? WEBHOOK_LIMIT_BYTES);
    return async (ctx) => ({ ...nothing, rawBody: await read(ctx) });
  }
  if (route.method === 'GET') return async () => nothing;

  const read = jsonReader(route.bodyLimit ?? JSON_LIMIT_BYTES);
  return async (ctx) => {
    const sent = await read(ctx);
    return route.body ? { ...nothing, body: valid('body', route.body, sent) } : nothing;
  };
}

function queryOf(route: Route, ctx: Context): unknown {
  if (!route.query) return undefined;
  refuseHostileData('query', ctx.query);
  return valid('query', route.query, ctx.query);
}

function valid(what: string, schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (!result.success) throw invalid(what, result.error);
  return result.data;
}

function outputOf(route: Route, answer: unknown, address: URL): Output {
  const status = route.status ?? 200;
  if (answer instanceof Redirect) {
    return { status: 302, headers: { Location: answer.url }, body: '' };
  }
  if (answer instanceof Page) {
    const headers = answer.next ? { Link: nextLink(address, answer.next) } : {};
    return { status, headers, body: declared(route, answer.items) };
  }
  if (answer instanceof Reply) {
    const { headers } = answer;
    return { status: answer.status ?? status, headers, body: declared(route, answer.body) };
  }
  return { status, headers: {}, body: declared(route, answer) };
}

/** Drops what the response schema does not declare. What it refuses is our bug, not the caller's. */
function declared(route: Route, body: unknown): unknown {
  if (!route.response) return body;
  const result = route.response.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`${route.method} ${route.path} answers against its schema`, {
    cause: result.error,
  });
}

function send(ctx: Context, { status, headers, body }: Output): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
  if (ctx.fresh) ctx.status = 304;
}
