import type { Tx } from '../../db/connection.ts';
import * as idempotency from '../../db/idempotency.ts';
import { Refusal } from '../../domain/errors.ts';
import { Sealed } from '../../domain/sealed.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { Deps } from './deps.ts';
import { envelopeOf, failureOf, HttpRefusal } from './replies/errors.ts';
import type { RenderedReply } from './replies/render-reply.ts';
import { type AfterCommit, pathOf, type Route } from './route.ts';

/** A request to an idempotent route that has passed every check. */
export type IdempotentCall = {
  /** Undefined for a request without a key. */
  scope: idempotency.Scope | undefined;
  /** The parsed JSON as it was sent, unknown fields included. */
  sent: unknown;
  /** The shop that the request names in a header, which is part of what a repeat has to share. */
  shop: string | undefined;
  /** Whether the stored response is sealed. */
  sealed: boolean;
  requestId: string;
  /** Does the work. Everything it writes is part of the transaction. */
  work(tx: Tx, afterCommit: AfterCommit): Promise<RenderedReply>;
};

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;
const REPLAYED = { 'Idempotency-Replayed': 'true' };

/**
 * Returns what the key of a request applies to: the user, the method and the path, each path in
 * one spelling. Undefined without the header; throws VALIDATION_ERROR for a malformed key.
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
      'Send an Idempotency-Key of 1 to 255 visible ASCII characters, without spaces.',
    );
  }
  if (user === undefined) throw new Error(`${route.path} is idempotent, but has no user.`);
  const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return { userId: user.id, method: route.method, path, key };
}

/**
 * Does the work of a request in one transaction. With a key, the response is stored in the same
 * transaction and returned to repeats of the request for 24 hours, so that the work is done once or
 * not at all, however often the request is sent and wherever it was cut off. Throws
 * IDEMPOTENCY_REPLAY: 409 while the first request is running, 422 for another request under the
 * same key. Work registered to follow the commit then starts, in order; after a replay or a refusal
 * none does.
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
  void followUp(works, log);
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
      { headers: { 'Retry-After': '1' } },
    );
  }
  // Not a plain hash, from which a redemption code in the body could be found by trying every code.
  const fingerprints = bodySealer.fingerprints(contentOf(call));
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

/** A refusal that a repeat would also get (404, 422) is stored as the response, without effects. */
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
  stored: idempotency.StoredResponse,
  fingerprints: readonly Buffer[],
  scope: idempotency.Scope,
  bodySealer: Sealer,
): RenderedReply {
  if (!fingerprints.some((fingerprint) => stored.requestHmac.equals(fingerprint))) {
    throw new HttpRefusal(
      'IDEMPOTENCY_REPLAY',
      'This Idempotency-Key was used for another request. Use a new key for each request.',
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

/** What a repeat must have in common with the first request. */
function contentOf({ sent, shop }: IdempotentCall): string {
  const body = canonical(sent);
  // No JSON text has a line break of its own here.
  return shop === undefined ? body : `${shop}\n${body}`;
}

/** Renders a JSON value as one text, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    const parts = entries.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`);
    return `{${parts.join(',')}}`;
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** Does work that follows a response, which stands whether or not this succeeds. Never rejects. */
export async function followUp(
  works: readonly (() => void | Promise<void>)[],
  log: Deps['log'],
): Promise<void> {
  for (const work of works) {
    try {
      await work();
    } catch (error) {
      log.error(
        { event: 'after_commit_failed', err: error },
        'Work that follows a committed request failed; its response is not affected',
      );
    }
  }
}
