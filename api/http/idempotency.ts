import type { Tx } from '../../db/connection.ts';
import * as idempotency from '../../db/idempotency.ts';
import { Refusal } from '../../domain/errors.ts';
import { Sealed } from '../../domain/sealed.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { Deps } from './deps.ts';
import { envelopeOf, failureOf, HttpRefusal } from './errors.ts';
import type { RenderedReply } from './render-reply.ts';
import { type AfterCommit, pathOf, type Route } from './route.ts';

/** A request to an idempotent route, which has passed every check. */
export type IdempotentCall = {
  /** Undefined for a request without a key. */
  scope: idempotency.Scope | undefined;
  /** The parsed JSON as it was sent, unknown fields included. */
  sent: unknown;
  /** Whether a stored answer is sealed. */
  sealed: boolean;
  requestId: string;
  /** Does the work. All that it writes, it writes in the transaction. */
  work(tx: Tx, afterCommit: AfterCommit): Promise<RenderedReply>;
};

/** Visible ASCII, at most 255 of it (contract 2). */
const KEY = /^[\x21-\x7e]{1,255}$/;
const REPLAYED = { 'Idempotency-Replayed': 'true' };

/**
 * What the key of a request counts for, if it has one: the user, the method and the path, each path
 * in one spelling. Throws VALIDATION_ERROR when the header holds no key.
 */
export function scopeOf(
  route: Route,
  { user, params, headers }: Parameters<Route['handle']>[0],
): idempotency.Scope | undefined {
  const key = headers['idempotency-key']?.toString();
  if (key === undefined) return undefined;
  if (!KEY.test(key)) {
    throw new Refusal(
      'VALIDATION_ERROR',
      'The Idempotency-Key must be 1 to 255 visible ASCII characters, without spaces.',
    );
  }
  if (user === undefined) throw new Error(`${route.path} is idempotent, but has no user.`);
  const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return { userId: user.id, method: route.method, path, key };
}

/**
 * Does the work of a request in one transaction. With a key, its answer is stored in the same
 * transaction, and the same request is answered from there for 24 hours (contract 2): what was
 * begun is done once or not at all, however often it is asked for and wherever it was cut off.
 * Throws IDEMPOTENCY_REPLAY: 409 while the first request is running, 422 for another request under
 * the same key. What was registered to come after the commit then begins, in order; on a replay or
 * after a refusal nothing does.
 */
export async function runIdempotently(
  call: IdempotentCall,
  { db, bodySealer, log }: Deps,
): Promise<RenderedReply> {
  const works: (() => void)[] = [];
  const output = await db.transaction((tx) => {
    const afterCommit: AfterCommit = (work) => works.push(work);
    if (call.scope === undefined) return call.work(tx, afterCommit);
    return once(tx, { ...call, scope: call.scope }, { works, bodySealer });
  });
  void begin(works, log);
  return output;
}

type KeyedCall = IdempotentCall & { scope: idempotency.Scope };
type Tools = { works: (() => void)[]; bodySealer: Sealer };

async function once(tx: Tx, call: KeyedCall, { works, bodySealer }: Tools): Promise<RenderedReply> {
  if (!(await idempotency.tryLock(tx, call.scope))) {
    throw new HttpRefusal(
      'IDEMPOTENCY_REPLAY',
      'The first request with this Idempotency-Key is still running. Send it again shortly.',
      409,
      { 'Retry-After': '1' },
    );
  }
  // Not a plain hash: a redemption code that was sent could be found from one by trying them all.
  const fingerprints = bodySealer.fingerprints(canonical(call.sent));
  const stored = await idempotency.find(tx, call.scope);
  if (stored) return replay(stored, fingerprints, call.scope, bodySealer);

  const output = await attempt(tx, call, works);
  const text = JSON.stringify(output.body ?? null);
  await idempotency.store(tx, call.scope, {
    requestHmac: fingerprints[0],
    status: output.status,
    body: call.sealed ? bodySealer.seal(text, bindingOf(call.scope)) : text,
    bodySealed: call.sealed,
  });
  return output;
}

/** A refusal that stands, whenever the request is sent, is an answer too: without its effects. */
async function attempt(tx: Tx, call: KeyedCall, works: (() => void)[]): Promise<RenderedReply> {
  try {
    return await tx.transaction((inner) => call.work(inner, (work) => works.push(work)));
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status !== 404 && failure.status !== 422) throw error;
    works.length = 0;
    const { status, headers } = failure;
    return { status, headers, body: envelopeOf(failure, call.requestId) };
  }
}

function replay(
  stored: idempotency.StoredAnswer,
  fingerprints: readonly Buffer[],
  scope: idempotency.Scope,
  bodySealer: Sealer,
): RenderedReply {
  if (!fingerprints.some((fingerprint) => stored.requestHmac.equals(fingerprint))) {
    throw new HttpRefusal(
      'IDEMPOTENCY_REPLAY',
      'This Idempotency-Key was used for another request. Use a new key for each.',
      422,
    );
  }
  const text = stored.bodySealed
    ? bodySealer.open(Sealed.parse(stored.body), bindingOf(scope))
    : stored.body;
  return { status: stored.status, headers: REPLAYED, body: JSON.parse(text) };
}

function bindingOf({ userId, method, path, key }: idempotency.Scope): string[] {
  return ['idempotency', userId, method, path, key];
}

/** One text for each JSON value, in whichever order its keys were sent. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    const parts = entries.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`);
    return `{${parts.join(',')}}`;
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Never fails, and nobody waits for it: the answer is committed whatever becomes of this. */
async function begin(works: readonly (() => void)[], log: Deps['log']): Promise<void> {
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, 'What was to follow a committed request failed');
    }
  }
}
