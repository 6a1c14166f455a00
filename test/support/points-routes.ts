import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Route, route } from '../../api/http/route.ts';
import { publishRewardRule } from '../../api/routes/client/reward-rules.ts';
import { connect, type Db } from '../../db/connection.ts';
import * as ledger from '../../db/ledger/postings.ts';
import { type ErrorCode, Refusal } from '../../domain/errors.ts';
import type { WalletId } from '../../domain/ids.ts';
import { createTestDatabase } from './database.ts';
import { aDebit, aWallet } from './factories.ts';
import { startIssuer } from './issuer.ts';
import { type TestPerson, tokenFor } from './people.ts';
import { type Served, serveRoutes } from './serve-routes.ts';

/** What each wallet holds at first. */
export const START = 1_000;
export const STATUS = { NOT_FOUND: 404, RULE_REJECTED: 422, FORBIDDEN: 403 } as const;

export type Sent = {
  key?: string | undefined;
  body?: unknown;
  path?: string;
  as?: string;
  at?: Served;
  signal?: AbortSignal;
};
/** A request that was told to wait. */
type Held = { pid: number; letGo: () => void };

/** What the routes that follow did and what they wait for. */
type Doings = { begun: string[]; waiting: Held | undefined };

/** Two instances of the API on one database, with routes that take points and do as they are told. */
export async function startPointsRoutes() {
  const doings: Doings = { begun: [], waiting: undefined };
  const otherDoings: Doings = { begun: [], waiting: undefined };
  const database = await createTestDatabase();
  const { db } = database;
  const otherDb = connect(database.url, 10, 'loyalty-test-other');
  const issuer = await startIssuer();
  const served = await serveRoutes(routesOf(doings), { issuer, db });
  const other = await serveRoutes(routesOf(otherDoings), { issuer, db: otherDb });
  const mine = { walletId: await aWallet(db), token: '' };

  return {
    db,
    doings,
    otherDoings,
    served,
    other,
    mine,

    tokenOf: (person: TestPerson) => tokenFor(db, issuer, person),

    /** A new wallet and a new consumer; nothing stored, begun or waiting. */
    async reset() {
      for (const each of [doings, otherDoings])
        Object.assign(each, { begun: [], waiting: undefined });
      await db('idempotency_keys').delete();
      mine.walletId = await aWallet(db, { balance: START });
      mine.token = await tokenFor(db, issuer, { role: 'consumer' });
    },

    send: ({
      at = served,
      path = `/wallets/${mine.walletId}/take`,
      as = mine.token,
      ...rest
    }: Sent) => post(`${at.url}/api/v1${path}`, as, rest),

    /** How many points were taken from a wallet. */
    async taken(id: WalletId = mine.walletId): Promise<number> {
      const row = await db('wallets').where({ id }).first<{ balance: number }>('balance');
      return START - (row?.balance ?? 0);
    },

    stored: (key: string): PromiseLike<Record<string, unknown>[]> =>
      db('idempotency_keys').where({ key }).select('*'),

    async held(): Promise<Held> {
      await expect.poll(() => doings.waiting, { timeout: 10_000 }).toBeDefined();
      return doings.waiting ?? expect.fail('nothing waits');
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

async function post(address: string, token: string, { key, body, signal }: Sent) {
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

const idempotent = {
  method: 'POST',
  access: 'WALLET_REDEEM',
  idempotent: true,
  summary: 'Takes points from a wallet, and does as it is told',
  body: z.object({ points: z.int(), and: z.string().optional() }),
  response: z.object({ ok: z.boolean(), receipt: z.string() }),
} as const;

function routesOf(doings: Doings): Route[] {
  return [
    publishRewardRule,
    takeAt('/wallets/:walletId/take', doings),
    takeAt('/wallets/:walletId/take-also', doings),
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
  doings: Doings,
): Route {
  return route({
    ...idempotent,
    path,
    async handle({ params, body: { points, and }, tx, db, afterCommit }) {
      const receipt = randomUUID();
      afterCommit(() => doings.begun.push(`first ${receipt}`));
      if (and === 'a failing follow-up') {
        afterCommit(() => {
          throw new Error('Temporal is away');
        });
      }
      afterCommit(() => doings.begun.push(`second ${receipt}`));
      await ledger.post(tx, [aDebit(params.walletId, points)]);
      if (and === 'wait') await wait(db, doings);
      if (and === 'a bug') throw new Error('a bug');
      if (and?.startsWith('refuse ')) throw refusal(and);
      if (and === 'a lie') return JSON.parse('{"ok":"perhaps"}');
      return { ok: true, receipt };
    },
  });
}

async function wait(db: Db, doings: Doings): Promise<void> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  await new Promise<void>((resolve) => {
    doings.waiting = { pid: rows[0]?.pid ?? 0, letGo: resolve };
  });
}

function refusal(text: string): Refusal {
  const code = z.enum(['NOT_FOUND', 'RULE_REJECTED', 'FORBIDDEN']).parse(text.slice(7));
  return new Refusal(code satisfies ErrorCode, 'That will not do.');
}
