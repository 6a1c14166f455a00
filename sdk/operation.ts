import type { operations } from './generated/schema.ts';
import type { Pages } from './pages.ts';

/** How an operation is called. */
export type Operation = {
  method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** With its parameters in braces. */
  path: string;
  /** An `Idempotency-Key` makes it safe to repeat. */
  isKeyed?: true;
  /** Further pages follow by a cursor. */
  isList?: true;
  /** `X-Tenant-Id` says in which of an operator's shops it works. */
  hasShop?: true;
  /** Its answer is a stream of events, which goes on. */
  isStream?: true;
};

export type OperationId = keyof operations;

/** What a single call may be given besides its input. */
export type CallOptions = {
  /** Ends the call, its retries and the waits between them. */
  signal?: AbortSignal;
  /**
   * The key under which the service carries the request out once, for operations that take one.
   * By default one is made for each call. Give your own to repeat a call of earlier, such as one
   * from before the page was loaded again.
   */
  idempotencyKey?: string;
  /** The shop to work in, for an operator of several. Default: that of the client. */
  shop?: string;
  /** Further headers. */
  headers?: Record<string, string>;
};

type Given<Parameters> = [NonNullable<Parameters>] extends [never]
  ? unknown
  : NonNullable<Parameters>;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : unknown;

/** Ids of the path, fields of the query, and the body, in one object. */
export type Input<Id extends OperationId> = Given<operations[Id]['parameters']['path']> &
  Given<operations[Id]['parameters']['query']> &
  BodyOf<operations[Id]>;

type Success<Responses> = Responses extends { 200: infer Answer }
  ? Answer
  : Responses extends { 201: infer Answer }
    ? Answer
    : Responses extends { 202: infer Answer }
      ? Answer
      : never;

/** What an operation returns. */
export type Result<Id extends OperationId> =
  Success<operations[Id]['responses']> extends { content: { 'application/json': infer Body } }
    ? Body
    : never;

type Arguments<Id extends OperationId> =
  Partial<Input<Id>> extends Input<Id>
    ? [input?: Input<Id>, options?: CallOptions]
    : [input: Input<Id>, options?: CallOptions];

/** Calls an operation. Throws a `LoyaltyError` for every answer that is no success. */
export type Method<Id extends OperationId> = (...given: Arguments<Id>) => Promise<Result<Id>>;

type ItemOf<Id extends OperationId> = Result<Id> extends readonly (infer Item)[] ? Item : never;

/** Reads a list to its end, page by page, as it is iterated. */
export type Listing<Id extends OperationId> = (...given: Arguments<Id>) => Pages<ItemOf<Id>>;
