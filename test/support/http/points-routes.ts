import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../../api/http/route.ts';
import { publishRewardRule } from '../../../api/routes/client/reward-rules.ts';
import { connect, type Db } from '../../../db/connection.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { createTestDatabase } from '../database/test-database.ts';
import { aDebit, aWallet, postByHand } from '../factories.ts';
import { startIssuer } from '../people/issuer.ts';
import { type TestPerson, tokenFor } from '../people/tokens.ts';
import { type Served, serveRoutes } from './serve-routes.ts';

/** The initial balance of each wallet. */
export const START = 1_000;
export const STATUS = { NOT_FOUND: 404, RULE_REJECTED: 422, FORBIDDEN: 403 } as const;

export type PointsRequest = {
  key?: string | undefined;
  body?: unknown;
  path?: string;
  as?: string;
  at?: Served;
  signal?: AbortSignal;
};
/** A request that holds its transaction open until `resume`. */
type PausedRequest = { pid: number; resume: () => void };

/** The follow-ups that an instance has run after commits, and its paused request. */
type RouteState = { followUps: string[]; paused: PausedRequest | undefined };

/** Starts two instances of the API on one database, with routes that debit points. */
export async function startPointsRoutes() {
  const state: RouteState = { followUps: [], paused: undefined };
  const otherState: RouteState = { followUps: [], paused: undefined };
  const database = await createTestDatabase();
  const { db } = database;
  const otherDb = connect(database.url, 10, 'loyalty-test-other');
  const issuer = await startIssuer();
  const served = await serveRoutes(routesOf(state), { issuer, db });
  const other = await serveRoutes(routesOf(otherState), { issuer, db: otherDb });
  const caller = { walletId: await aWallet(db), token: '' };

  return {
    db,
    state,
    otherState,
    served,
    other,
    caller,

    tokenOf: (person: TestPerson) => tokenFor(db, issuer, person),

    /** Creates a new wallet and consumer, and clears stored answers and both states. */
    async reset() {
      for (const each of [state, otherState])
        Object.assign(each, { followUps: [], paused: undefined });
      await db('idempotency_keys').delete();
      caller.walletId = await aWallet(db, { balance: START });
      caller.token = await tokenFor(db, issuer, { role: 'consumer' });
    },

    send: ({
      at = served,
      path = `/wallets/${caller.walletId}/take`,
      as = caller.token,
      ...rest
    }: PointsRequest) => post(`${at.url}/api/v1${path}`, as, rest),

    /** The points debited from a wallet so far. */
    async taken(id: WalletId = caller.walletId): Promise<number> {
      const row = await db('wallets').where({ id }).first<{ balance: number }>('balance');
      return START - (row?.balance ?? 0);
    },

    stored: (key: string): PromiseLike<Record<string, unknown>[]> =>
      db('idempotency_keys').where({ key }).select('*'),

    /** Waits until a request with the behaviour `pauses` is paused. */
    async pausedRequest(): Promise<PausedRequest> {
      await expect.poll(() => state.paused, { timeout: 10_000 }).toBeDefined();
      return state.paused ?? expect.fail('No request is paused.');
    },

    async close() {
      await served.close();
      await other.close();
      await issuer.close();
      await otherDb.destroy();
      await database.close();
    },
  };
}

export type PointsRoutes = Awaited<ReturnType<typeof startPointsRoutes>>;

async function post(address: string, token: string, { key, body, signal }: PointsRequest) {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body ?? { points: 10 }),
    ...(signal && { signal }),
  });
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    retryAfter: response.headers.get('retry-after'),
    body: z.record(z.string(), z.unknown()).parse(await response.json()),
  };
}

/** What a request does after its debit; by default it succeeds. */
const Behaviour = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pauses') }),
  z.object({ kind: z.literal('throws') }),
  z.object({ kind: z.literal('violates-schema') }),
  z.object({ kind: z.literal('fails-after-commit') }),
  z.object({
    kind: z.literal('refuses'),
    code: z.enum(['NOT_FOUND', 'RULE_REJECTED', 'FORBIDDEN']),
  }),
]);

const idempotent = {
  method: 'POST',
  access: 'WALLET_REDEEM',
  idempotent: true,
  summary: 'Debits points from a wallet, then behaves as requested',
  // Further fields only tell one request from another.
  body: z.looseObject({ points: z.int(), behaviour: Behaviour.optional() }),
  response: z.object({ ok: z.boolean(), receipt: z.string() }),
} as const;

function routesOf(state: RouteState): Route[] {
  return [
    publishRewardRule,
    takeAt('/wallets/:walletId/take', state),
    takeAt('/wallets/:walletId/take-also', state),
    route({
      ...idempotent,
      path: '/wallets/:walletId/secret',
      sealed: true,
      handle: () => ({ ok: true, receipt: `secret-${randomUUID()}` }),
    }),
  ];
}

function takeAt(
  path: '/wallets/:walletId/take' | '/wallets/:walletId/take-also',
  state: RouteState,
): Route {
  return route({
    ...idempotent,
    path,
    async handle({ params, body: { points, behaviour }, tx, db, afterCommit }) {
      const receipt = randomUUID();
      afterCommit(() => state.followUps.push(`first ${receipt}`));
      if (behaviour?.kind === 'fails-after-commit') {
        afterCommit(() => {
          throw new Error('Temporal is away');
        });
      }
      afterCommit(() => state.followUps.push(`second ${receipt}`));
      await postByHand(tx, [aDebit(params.walletId, points)]);
      const answer = { ok: true, receipt };
      switch (behaviour?.kind) {
        case 'pauses':
          await pause(db, state);
          return answer;
        case 'throws':
          throw new Error('a bug');
        case 'refuses':
          throw new Refusal(behaviour.code, 'The route refuses this request.');
        case 'violates-schema':
          return JSON.parse('{"ok":"perhaps"}');
        default:
          return answer;
      }
    },
  });
}

async function pause(db: Db, state: RouteState): Promise<void> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  await new Promise<void>((resolve) => {
    state.paused = { pid: rows[0]?.pid ?? 0, resume: resolve };
  });
}
