import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Tx } from '../../db/connection.ts';
import type { Tenant } from '../../db/tenants/tenants.ts';
import type { User } from '../../db/users/users.ts';
import type { ErrorCode, IssueCode } from '../../domain/errors.ts';
import type { Language } from '../../domain/language.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import type { Scope } from '../../domain/token-grant.ts';
import type { LimitName } from './access/rate-limits.ts';
import type { Deps } from './deps.ts';
import type { EventStream, Page, Redirect, Reply, Streamed } from './replies/reply.ts';
import type { PathIds } from './requests/path-ids.ts';

/**
 * Who may call a route: holders of a permission, active users, whom the handler tells apart, or
 * callers with the stated kind of proof.
 */
export type Access =
  | Permission
  | 'active-user'
  | 'public'
  | 'any-token'
  | 'signed-webhook'
  | 'signed-state'
  | 'cron-secret';

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Params<Path extends string> = {
  [Name in ParamName<Path> & keyof PathIds]: z.output<PathIds[Name]>;
};

/** The path itself, or never when it has a parameter that `pathIds` does not know. */
type KnownPath<Path extends string> = ParamName<Path> extends keyof PathIds ? Path : never;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Sent<Schema> = Schema extends z.ZodType ? z.input<Schema> : unknown;

/** Registers work that starts after the commit, in order, and never after a rollback. */
export type AfterCommit = (work: () => void) => void;

/**
 * Registers work to do before the answer, when no transaction of the request is open any more,
 * whether it was committed or not.
 */
export type Afterwards = (work: (deps: Deps) => Promise<void>) => void;

/** What a handler receives. What the route does not ask for is undefined, in the type as well. */
type Request<Path extends string, A, Query, Body, Idempotent, Shop> = Deps & {
  params: Params<Path>;
  query: Parsed<Query>;
  body: Parsed<Body>;
  user: A extends Permission | 'active-user' | 'any-token' ? User : undefined;
  /** The tenant of the path, or the shop that an operator works in. */
  tenant: 'tenantId' extends ParamName<Path> ? Tenant : Shop extends string ? Tenant : undefined;
  /** The exact bytes of the body, which the provider signed. */
  rawBody: A extends 'signed-webhook' ? Buffer : undefined;
  /** Whether the caller wants CSV, of a route that has it. */
  wantsCsv: boolean;
  /** Returns which of the languages the caller prefers. */
  language(): Language;
  /** The transaction of everything that an idempotent route writes. */
  tx: Idempotent extends true ? Tx : undefined;
  afterCommit: Idempotent extends true ? AfterCommit : undefined;
  headers: IncomingHttpHeaders;
  /** Chosen by the caller, or else the request id. */
  correlationId: string;
  /** Generated for this request: no caller can make it name another one. */
  requestId: string;
  afterwards: Afterwards;
};

/** Responses are only read, so a handler may return immutable data. */
type Immutable<Data> = { readonly [Key in keyof Data]: Immutable<Data[Key]> };
type Answer<Body> = Body | Reply<Body> | Page<Body> | Streamed | Redirect | EventStream;

/** Whether a body may be of any size, is counted, or is refused beyond a few bytes. */
export type WebhookSender = 'known' | 'stranger' | { atMost: number; refuse(): never };

/** What a route declares besides its handler. With its schemas it makes the OpenAPI document. */
type Facts = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Whether the path is at the root instead of under /api/v1. */
  root?: boolean;
  access: Access;
  /** The status of success, by default 200. */
  status?: number;
  /** Further statuses that use the response schema, and when they occur. */
  otherStatuses?: Readonly<Record<number, string>>;
  tag?: string;
  summary: string;
  description?: string;
  /** The refusals to expect beyond those that follow from the other fields. */
  refusals?: readonly ErrorCode[];
  /** The issues with which its own rules refuse a request: the document has an example of each. */
  issues?: readonly IssueCode[];
  /** The roles that an `active-user` route serves, if not all. The handler judges, not this. */
  roles?: readonly Role[];
  /** The scopes of which an `active-user` route needs one, where tokens need scopes. */
  scopes?: readonly Scope[];
  /** The largest body in bytes, where the default limit does not fit. */
  bodyLimit?: number;
  /** Whether any JSON, or anything, is taken and ignored. Else an unknown field is refused. */
  ignoresBody?: true | 'of any type';
  /** Judges who sends a webhook before its body is read. */
  sender?: (headers: IncomingHttpHeaders, deps: Deps) => WebhookSender;
  /** Whether no number of webhooks is refused. */
  isNeverLimited?: true | undefined;
  /** How many requests a process serves at a time, where each holds much memory. */
  atOnce?: number;
  /** The media type of a response that is not JSON. */
  produces?: string;
  /** The events of a response that is a stream of them, each with its data and an example of it. */
  events?: Readonly<Record<string, { data: z.ZodType; example: unknown }>>;
  /** Whether callers may accept the whole list as CSV instead, as a report. */
  csv?: true;
  /** Whether a request reads much: a process serves few such, and one of a tenant, at a time. */
  report?: true;
  /** Whether it reads all of the caller: a process serves few such, one of a person, at a time. */
  personal?: true;
  /** Whether it is part of the programmes of shops, and not there where these are not applied. */
  programme?: true;
  /** Whether the tenant in the path only has to exist: the handler judges what callers may do. */
  anyTenant?: true;
  /**
   * Whether the route works in one shop of an operator: the only one, or the one that `X-Tenant-Id`
   * names. Without that header, several are refused, or the oldest is taken.
   */
  shop?: 'named' | 'oldest';
  /** Whether the route writes in one transaction with its response and takes `Idempotency-Key`. */
  idempotent?: true;
  /** Whether responses stored under an `Idempotency-Key` are sealed, as they contain a secret. */
  sealed?: true;
  /** The rate limit that counts a request; by default `reads` or `writes`, by its method. */
  limit?: Exclude<LimitName, 'webhooks'>;
};

type Definition<
  Path extends string,
  A extends Access,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
  Response extends z.ZodType | undefined,
  Result extends Answer<Immutable<Sent<Response>>>,
  Idempotent extends true | undefined,
  Shop extends 'named' | 'oldest' | undefined,
> = Facts & {
  path: KnownPath<Path>;
  access: A;
  idempotent?: Idempotent;
  shop?: Shop;
  query?: Query;
  body?: Body;
  response?: Response;
  examples?: { query?: Sent<Query>; body?: Sent<Body>; response?: Sent<Response> };
  /** Does what has to be committed before the transaction of an idempotent route begins. */
  before?(request: Request<Path, A, Query, Body, undefined, Shop>): Promise<void>;
  handle(request: Request<Path, A, Query, Body, Idempotent, Shop>): Promise<Result> | Result;
};

/** A request as `mount` builds it, without the types of a particular route. */
type AnyRequest = Deps & {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  user: User | undefined;
  tenant: Tenant | undefined;
  rawBody: Buffer | undefined;
  wantsCsv: boolean;
  language(): Language;
  tx: Tx | undefined;
  afterCommit: AfterCommit | undefined;
  headers: IncomingHttpHeaders;
  /** Chosen by the caller, or else the request id. */
  correlationId: string;
  /** Generated for this request: no caller can make it name another one. */
  requestId: string;
  afterwards: Afterwards;
};

/**
 * A route of any types. `handle` is a method, whose parameters TypeScript compares in both
 * directions, so that all routes fit in one list without a cast. `mount` guarantees the types.
 */
export type Route = Facts & {
  path: string;
  query?: z.ZodObject | undefined;
  body?: z.ZodType | undefined;
  response?: z.ZodType | undefined;
  examples?: { query?: unknown; body?: unknown; response?: unknown };
  before?(request: AnyRequest): Promise<void>;
  handle(request: AnyRequest): unknown;
};

/**
 * Declares an endpoint. The handler returns data, of which only declared fields are sent, or one of
 * the classes of replies.ts. A path with an unknown parameter does not compile.
 */
export function route<
  const Path extends string,
  const A extends Access,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
  const Result extends Answer<Immutable<Sent<Response>>> = Answer<Immutable<Sent<Response>>>,
  const Idempotent extends true | undefined = undefined,
  const Shop extends 'named' | 'oldest' | undefined = undefined,
>(definition: Definition<Path, A, Query, Body, Response, Result, Idempotent, Shop>): Route {
  return definition;
}

/** Returns the path of a route on this service, with its prefix. */
export function pathOf({ root, path }: Route): string {
  return root ? path : `/api/v1${path}`;
}

/** Returns the rate limit that counts a route's requests, or undefined without one. */
export function limitOf({ access, method, limit, isNeverLimited }: Route): LimitName | undefined {
  switch (access) {
    case 'signed-webhook':
      return isNeverLimited ? undefined : 'webhooks';
    case 'public':
    case 'signed-state':
    case 'cron-secret':
      return undefined;
    default:
      return limit ?? (method === 'GET' ? 'reads' : 'writes');
  }
}
