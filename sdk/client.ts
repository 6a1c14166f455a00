import createFetchClient, { type Client, type Middleware } from 'openapi-fetch';
import { createAccessTokens, type TokenSource } from './access-tokens.ts';
import { errorOf } from './errors.ts';
import { createExchange, type Exchange } from './exchange.ts';
import {
  type ConsumerEvent,
  type FollowOptions,
  follow,
  type ShopEvent,
  STREAM_TIMING,
  type StreamTiming,
} from './follow.ts';
import { type Lists, OPERATIONS, type Operations } from './generated/operations.ts';
import type { paths } from './generated/schema.ts';
import type { CallOptions, Operation } from './operation.ts';
import { nextCursorOf, type Pages, paged } from './pages.ts';
import { type RetryOptions, withRetries } from './retries.ts';

export type ClientOptions = {
  /** The address of the service, such as `https://api.shop.example`. */
  baseUrl: string;
  token?: TokenSource;
  /** The shop to work in, for an operator of several. */
  shop?: string;
  retries?: RetryOptions;
  /** How long one attempt may take. Default: 30,000. */
  timeoutMs?: number;
  /** Default: the one of the browser or of Node. */
  fetch?: typeof globalThis.fetch;
  streams?: Partial<StreamTiming>;
};

/**
 * A method for each operation of the API, by the name that it has in the document.
 *
 * Besides them, `all` reads lists to their end, `followEvents` and `followShopEvents` follow
 * streams, and `http` is the client of openapi-fetch below all this, for answers with their status
 * and headers: it retries, but it does not throw when the service refuses.
 */
export type LoyaltyClient = Operations & {
  all: Lists;
  /** The consumer's wallets and redemptions, as they change. */
  followEvents(options?: FollowOptions): AsyncIterable<ConsumerEvent>;
  /** The codes that a shop burns, as it does. */
  followShopEvents(options?: FollowOptions): AsyncIterable<ShopEvent>;
  http: Client<paths>;
};

type LooseInput = Record<string, unknown>;
type LooseOperation = {
  parameters: { path: LooseInput; query: LooseInput };
  requestBody?: { content: { 'application/json': unknown } };
  responses: Record<200 | 400, { content: { 'application/json': unknown } }>;
};
type LoosePaths = Record<string, Record<Operation['method'], LooseOperation>>;
type Answer = { data?: unknown; error?: unknown; response: Response };
type Send = (operation: Operation, input?: LooseInput, options?: CallOptions) => Promise<Answer>;

const TIMEOUT_MS = 30_000;

/** Creates a client of the service at an address. It keeps nothing open between calls. */
export function createClient(options: ClientOptions): LoyaltyClient {
  const exchange = createExchange({
    fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
    tokens: createAccessTokens(options.token ?? (() => undefined)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  });
  const settings = { baseUrl: options.baseUrl, fetch: withRetries(exchange, options.retries) };
  const http = createFetchClient<paths>(settings);
  http.use(headersOf(options.shop));
  const send = createSend(settings, options.shop);
  return {
    ...methodsFor(send),
    all: listsFor(send),
    followEvents: (given) => streamOf(OPERATIONS.followEvents, ['wallet', 'redemption'], given),
    followShopEvents: (given) => streamOf(OPERATIONS.followShopEvents, ['redemption'], given),
    http,
  };

  function streamOf<Event>(
    { path, hasShop }: Operation,
    events: readonly string[],
    { shop = options.shop, ...given }: FollowOptions = {},
  ) {
    const url = `${options.baseUrl.replace(/\/$/, '')}${path}`;
    const inShop = hasShop && shop ? { 'x-tenant-id': shop } : undefined;
    const connect = (headers: Record<string, string>, signal: AbortSignal) =>
      exchange(new Request(url, { headers: { ...headers, ...inShop }, signal }));
    const source = { connect, events: [...events, 'reset'] };
    return follow<Event>(source, given, { ...STREAM_TIMING, ...options.streams });
  }
}

/** Sends what the type of an operation's method has checked already. */
function createSend(settings: { baseUrl: string; fetch: Exchange }, ofClient?: string): Send {
  const http = createFetchClient<LoosePaths>(settings);
  http.use(headersOf(ofClient));
  return (operation, input = {}, { signal, idempotencyKey, shop, headers } = {}) => {
    const { body, ...fields } = input;
    const isInPath = (name: string) => operation.path.includes(`{${name}}`);
    const chosen = (inPath: boolean) =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => isInPath(name) === inPath));
    return http.request(operation.method, operation.path, {
      params: { path: chosen(true), query: chosen(false) },
      headers: {
        ...headers,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...(shop !== undefined && { 'x-tenant-id': shop }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
  };
}

/** Adds what an operation takes: a key of its own, so that it can be repeated, and the shop. */
function headersOf(shop: string | undefined): Middleware {
  const operations = new Map<string, Operation>(
    Object.values(OPERATIONS).map((one) => [`${one.method} ${one.path}`, one]),
  );
  return {
    onRequest({ request, schemaPath }) {
      const operation = operations.get(`${request.method.toLowerCase()} ${schemaPath}`);
      const { headers } = request;
      // Where the service does not honour a key, none may make a retry look safe.
      if (operation?.isKeyed !== true) headers.delete('idempotency-key');
      else if (!headers.has('idempotency-key')) headers.set('idempotency-key', newKey());
      if (operation?.hasShop && shop !== undefined && !headers.has('x-tenant-id')) {
        headers.set('x-tenant-id', shop);
      }
    },
  };
}

/** Not `randomUUID`, which browsers have on secure pages only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function methodsFor(send: Send): Operations;
function methodsFor(send: Send): object {
  const called = Object.entries<Operation>(OPERATIONS).filter(([, { isStream }]) => !isStream);
  return Object.fromEntries(
    called.map(([id, operation]) => [
      id,
      async (input?: LooseInput, options?: CallOptions) =>
        (await successOf(send(operation, input, options))).data,
    ]),
  );
}

function listsFor(send: Send): Lists;
function listsFor(send: Send): object {
  const lists = Object.entries<Operation>(OPERATIONS).filter(([, { isList }]) => isList);
  return Object.fromEntries(
    lists.map(([id, operation]) => [
      id,
      (input?: LooseInput, options?: CallOptions): Pages<unknown> =>
        paged(async (cursor) => {
          const asked = cursor === undefined ? input : { ...input, cursor };
          const { data, response } = await successOf(send(operation, asked, options));
          const nextCursor = nextCursorOf(response.headers.get('link'));
          return { items: Array.isArray(data) ? data : [], nextCursor };
        }),
    ]),
  );
}

async function successOf(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent;
  if (!answer.response.ok) throw errorOf(answer.response, answer.error);
  return answer;
}
