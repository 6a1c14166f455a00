import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { appliesProgrammes } from '../../db/connection.ts';
import type { User } from '../../db/users/users.ts';
import { Refusal } from '../../domain/errors.ts';
import { TenantId } from '../../domain/ids.ts';
import { languageIn } from '../../domain/language.ts';
import {
  type Admit,
  createAdmission,
  createReportAdmission,
  type Place,
  type ReportAdmission,
  WEBHOOK_ROOM_BYTES,
} from './access/admission.ts';
import { type Authorized, authorize, countRequest } from './access/authorize.ts';
import { namedShop } from './access/shop.ts';
import type { Deps } from './deps.ts';
import { followUp, type IdempotentCall, runIdempotently, scopeOf } from './idempotency.ts';
import {
  bytesReader,
  JSON_LIMIT_BYTES,
  jsonReader,
  WEBHOOK_LIMIT_BYTES,
} from './middleware/body.ts';
import { correlationIdOf, requestIdOf } from './middleware/correlation-id.ts';
import { CSV_TYPE } from './replies/csv.ts';
import { HttpRefusal, invalid } from './replies/errors.ts';
import { JSON_TYPE } from './replies/json-pieces.ts';
import { type RenderedReply, renderReply } from './replies/render-reply.ts';
import { EventStream, Streamed } from './replies/reply.ts';
import { sendPieces } from './replies/send-pieces.ts';
import { parseQuery, withoutPage } from './requests/parse-query.ts';
import { parseParams } from './requests/path-ids.ts';
import { unknownFields } from './requests/unknown-fields.ts';
import { type Afterwards, pathOf, type Route } from './route.ts';

const NoFields = z.object({});

/**
 * Serves the routes, each through the same steps: authentication, tenant, permission, validation,
 * handler. An unknown path gets 404, an unsupported method 405 with `Allow`.
 */
export function mount(routes: readonly Route[], deps: Deps) {
  // Each address has one spelling, because limits and idempotency keys are counted by path.
  const router = new Router({ strict: true, sensitive: true });
  const admissionTo = createAdmission(WEBHOOK_ROOM_BYTES, deps);
  const reports = createReportAdmission();
  // A path without parameters is found by its text. The router compares one pattern after another.
  const byAddress = new Map<string, (ctx: Context) => Promise<void>>();
  const isThere = ({ programme }: Route) => programme !== true || appliesProgrammes(deps.db);
  for (const route of routes.filter(isThere)) {
    const path = pathOf(route);
    const serve = serveRoute(route, { admit: admissionTo(route), reports }, deps);
    router.register(path, [route.method], (ctx) => serve(ctx, ctx.params));
    if (!path.includes(':')) byAddress.set(`${route.method} ${path}`, (ctx) => serve(ctx, {}));
  }
  const dispatch = router.routes();
  return (ctx: Parameters<typeof dispatch>[0]): Promise<unknown> => {
    const path = pathIn(ctx);
    if (path === undefined)
      throw new Refusal('NOT_FOUND', 'There is nothing at this address. Check the address.');
    const serve = byAddress.get(`${ctx.method} ${path}`);
    if (serve !== undefined) return serve(ctx);
    return dispatch(ctx, async () => refuseUnmatched(router, path, ctx.method));
  };
}

/** A request in the form for proxies names a full URL; one with an invalid host has no path. */
function pathIn(ctx: Pick<Context, 'path'>): string | undefined {
  try {
    const { path } = ctx;
    return typeof path === 'string' ? path : undefined;
  } catch {
    return undefined;
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

type Admission = { admit: Admit; reports: ReportAdmission };

function serveRoute(route: Route, { admit, reports }: Admission, deps: Deps) {
  const read = bodyReaderOf(route);
  const answer = answererOf(route, deps);
  const path = pathOf(route);
  return async (ctx: Context, raw: Record<string, string>): Promise<void> => {
    ctx.state.route = path;
    if (raw.tenantId !== undefined) {
      ctx.state.tenantId = TenantId.safeParse(raw.tenantId.toLowerCase()).data;
    }
    const caller = {
      headers: ctx.headers,
      params: raw,
      count: async (user: User) => {
        ctx.state.userId = user.id;
        ctx.set(await countRequest(route, { user, headers: ctx.headers }, deps));
      },
    };
    const authorized = await authorize(route, caller, deps);
    const params = parseParams(raw);
    // Of ids that were parsed, so that nothing else can get into the log.
    if (route.path.startsWith('/admin/')) ctx.state.path = filled(path, params);
    const wantsCsv = route.csv === true && ctx.accepts(JSON_TYPE, CSV_TYPE) === CSV_TYPE;
    const query = parseQuery(route, wantsCsv ? withoutPage(ctx.query) : ctx.query);
    // A route without a tenant is limited for each person who calls it.
    const whose = authorized.tenant?.id ?? authorized.user?.id ?? '';
    const place = admit(ctx);
    const admitReport = wantsCsv ? reports.export : route.report && reports.statistics;
    const admitted = route.personal ? reports.personal(authorized.user?.id ?? '') : undefined;
    const leave = admitted ?? (admitReport ? admitReport(whose) : place.leave);
    try {
      const content = await read(ctx, place);
      const given = await answer(ctx, { authorized, params, query, wantsCsv, content });
      await send(ctx, given, reports);
    } finally {
      leave();
    }
  };
}

/** The path with its ids. */
function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (whole, name: string) => params[name] ?? whole);
}

/** What of a request was authorized and found to be valid. */
type Accepted = {
  authorized: Authorized;
  params: Record<string, string>;
  query: unknown;
  wantsCsv: boolean;
  content: Content;
};

function answererOf(route: Route, deps: Deps) {
  return async (ctx: Context, accepted: Accepted): Promise<RenderedReply> => {
    const { authorized, params, query, wantsCsv, content } = accepted;
    const correlationId = correlationIdOf(ctx);
    const works: Parameters<Afterwards>[0][] = [];
    const request = {
      ...deps,
      user: authorized.user,
      tenant: authorized.tenant,
      params,
      query,
      body: content.body,
      rawBody: content.rawBody,
      wantsCsv,
      language: () => languageIn(ctx.headers['accept-language']) ?? 'en',
      tx: undefined,
      afterCommit: undefined,
      headers: ctx.headers,
      correlationId,
      requestId: requestIdOf(ctx),
      afterwards: (work: Parameters<Afterwards>[0]) => works.push(work),
    };
    const address = () => new URL(`${deps.settings.apiBaseUrl}${ctx.path}${ctx.search}`);
    if (!route.idempotent) {
      try {
        return renderReply(route, await route.handle(request), address);
      } finally {
        if (works.length > 0) await finish(works, deps);
      }
    }
    await route.before?.(request);
    const call: IdempotentCall = {
      scope: scopeOf(route, request),
      sent: content.sent,
      shop: namedShop(ctx.headers),
      sealed: route.sealed === true,
      requestId: correlationId,
      // `db` is the transaction as well, so everything the handler reads or writes is part of it.
      work: async (tx, afterCommit) =>
        renderReply(route, await route.handle({ ...request, db: tx, tx, afterCommit }), address),
    };
    return runIdempotently(call, deps).finally(() => finish(works, deps));
  };
}

/** Does what a handler left to do, now that no transaction holds a connection. */
function finish(works: readonly Parameters<Afterwards>[0][], deps: Deps): Promise<void> {
  return followUp(
    works.map((work) => () => work(deps)),
    deps.log,
  );
}

/** The body as it was sent and as its schema parses it, or its bytes. */
type Content = { sent: unknown; body: unknown; rawBody: Buffer | undefined };
const NO_CONTENT: Content = { sent: undefined, body: undefined, rawBody: undefined };

function bodyReaderOf(route: Route): (ctx: Context, place: Place) => Promise<Content> {
  if (route.access === 'signed-webhook') {
    const read = bytesReader(route.bodyLimit ?? WEBHOOK_LIMIT_BYTES);
    return async (ctx, { take }) => ({ ...NO_CONTENT, rawBody: await read(ctx, take) });
  }
  if (route.method === 'GET') return async () => NO_CONTENT;
  if (route.ignoresBody === 'of any type') {
    const read = bytesReader(JSON_LIMIT_BYTES);
    return (ctx, { take }) => read(ctx, take).then(() => NO_CONTENT);
  }
  const read = jsonReader(route.bodyLimit ?? JSON_LIMIT_BYTES);
  return async (ctx) => {
    const sent = await read(ctx);
    return { ...NO_CONTENT, sent, body: parseBody(route, sent) };
  };
}

function parseBody(route: Route, sent: unknown): unknown {
  if (route.ignoresBody) return undefined;
  const schema = route.body ?? NoFields;
  // The input tells a missing field from one of another type.
  const result = schema.safeParse(sent, { reportInput: true });
  const issues = [...unknownFields(schema, sent), ...(result.error?.issues ?? [])];
  if (issues.length > 0) throw invalid('body', new z.ZodError(issues));
  return route.body && result.data;
}

async function send(ctx: Context, reply: RenderedReply, reports: ReportAdmission): Promise<void> {
  const { status, headers, body } = reply;
  if (body instanceof Streamed) {
    return sendPieces(ctx, reply, { pieces: reports.inTurn(body.pieces) });
  }
  ctx.status = status;
  ctx.set(headers);
  if (body instanceof EventStream) return sendStream(ctx, body);
  ctx.body = body;
  // Only a response with a tag can be known already; `If-None-Match: *` would match any other.
  if (ctx.response.etag && ctx.fresh) ctx.status = 304;
}

/** The stream writes to the response itself, so that it knows how much of it was not read yet. */
function sendStream(ctx: Context, { source }: EventStream): void {
  if (ctx.method === 'HEAD') {
    source.end('client_left');
    return;
  }
  ctx.respond = false;
  source.attach(ctx.res);
}
