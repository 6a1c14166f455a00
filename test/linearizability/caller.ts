import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Recorded } from './history.ts';
import type { WalletRequest } from './wallet.ts';
import { HISTORY_LIMIT } from './wallet-state.ts';

/** What a request to the API can be; the others happen in the database. */
export type Sent = Exclude<
  WalletRequest,
  { kind: 'overdue' | 'expire' | 'look' | 'sale' | 'refund' }
>;

/** The person who sends a request, and the wallet that it is about. */
export type Caller = {
  name: string;
  token: string;
  walletId: string;
  /** What can be taken for points. */
  rewardId: string;
  /** The id of each code's redemption, as far as it was answered. */
  idsOfCodes: Map<string, string>;
};

/** What one request came to; `again` if it may be sent once more under its key. */
export type Outcome = { answer: string | undefined; again: boolean };

/** Longer than any request takes while everything is up. */
const TIMEOUT_MS = 4_000;
const PAUSE_MS = 150;

/**
 * Sends a request to one of the processes and records it with the times at which it was sent and
 * answered. A request that certainly had no effect is not recorded: the process was down, or the
 * first request with the key is still running. Neither is a read without an answer.
 */
export async function ask(
  caller: Caller,
  request: Sent,
  { url, history }: { url: string; history: Recorded[] },
): Promise<Outcome> {
  const { name, token, idsOfCodes } = caller;
  const { key } = request;
  const { method, path, body } = httpOf(caller, request);
  const start = performance.now();
  const outcome = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
    .then((response) => readAnswer(request, response, idsOfCodes))
    .catch(failureOf);
  if (outcome === 'no effect') {
    await sleep(PAUSE_MS);
    return { answer: undefined, again: true };
  }
  const end = performance.now();
  if (outcome !== 'unknown') {
    history.push({ caller: name, request, answer: outcome, start, end });
    return { answer: outcome, again: false };
  }
  if (!READS.has(request.kind)) {
    const open = Number.POSITIVE_INFINITY;
    history.push({ caller: name, request, answer: undefined, start, end: open });
  }
  await sleep(PAUSE_MS);
  return { answer: undefined, again: true };
}

const READS: ReadonlySet<WalletRequest['kind']> = new Set([
  'balance',
  'history',
  'preview',
  'lookup',
]);

function httpOf({ walletId, rewardId, idsOfCodes }: Caller, request: Sent) {
  const wallet = `/consumer/wallets/${walletId}`;
  switch (request.kind) {
    case 'balance':
      return { method: 'GET', path: wallet };
    case 'history':
      return { method: 'GET', path: `${wallet}/history?limit=${HISTORY_LIMIT}` };
    case 'preview':
    case 'confirm': {
      const body = { pointsToRedeem: request.points };
      return { method: 'POST', path: `${wallet}/redeem/${request.kind}`, body };
    }
    case 'take':
      return { method: 'POST', path: `${wallet}/rewards/${rewardId}/redeem`, body: {} };
    case 'lookup':
    case 'complete':
      return {
        method: 'POST',
        path: `/pos/redemptions/${request.kind}`,
        body: { code: request.code },
      };
    case 'cancel': {
      const id = idsOfCodes.get(request.code);
      return { method: 'POST', path: `/consumer/redemptions/${id}/cancel`, body: {} };
    }
    case 'adjust': {
      const body = { points: request.points, reason: 'Counted again.' };
      return { method: 'POST', path: `/admin/wallets/${walletId}/adjust`, body };
    }
    case 'freeze':
    case 'unfreeze':
      return { method: 'POST', path: `/admin/wallets/${walletId}/${request.kind}`, body: {} };
  }
}

/** The process was down and cannot have read the request. */
const REFUSED = new Set(['ECONNREFUSED']);

function failureOf(error: unknown): 'no effect' | 'unknown' {
  // What is no failure of the network is a mistake in here, or an answer that no request may get.
  if (!(error instanceof Error) || error instanceof UnexpectedAnswer) throw error;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : '';
  return typeof code === 'string' && REFUSED.has(code) ? 'no effect' : 'unknown';
}

class UnexpectedAnswer extends Error {}

const Refused = z.object({
  issues: z.array(
    z.object({ code: z.string(), params: z.record(z.string(), z.json()).optional() }),
  ),
});

async function readAnswer(
  request: Sent,
  response: Response,
  idsOfCodes: Map<string, string>,
): Promise<string> {
  const { status } = response;
  const body: unknown = await response.json();
  const confirmed = Confirmed.safeParse(body);
  if (confirmed.success) idsOfCodes.set(confirmed.data.redemptionCode, confirmed.data.redemptionId);
  if (status >= 500) return 'unknown';
  if (status === 409) return 'no effect';
  const isReplay = response.headers.get('idempotency-replayed') === 'true';
  const suffix = isReplay ? ' (replayed)' : '';
  if (status === 200) return `${textOf(request, body)}${suffix}`;
  const refused = Refused.safeParse(body);
  const isRefusal = (status === 403 || status === 422) && refused.success;
  const [issue] = isRefusal ? refused.data.issues : [];
  if (issue === undefined) {
    throw new UnexpectedAnswer(`${request.kind}: ${status} ${JSON.stringify(body)}`);
  }
  // Times are left out: nobody but the service knows them.
  const numbers = Object.values(issue.params ?? {}).filter((value) => typeof value === 'number');
  return `${[issue.code, ...numbers].join(' ')}${suffix}`;
}

const Confirmed = z.object({ redemptionCode: z.string(), redemptionId: z.string() });

const Issued = Confirmed.transform((b) => `code ${b.redemptionCode}`);

const Answers = {
  confirm: Issued,
  take: Issued,
  preview: z
    .object({ currentBalance: z.int(), newBalance: z.int() })
    .transform((b) => `${b.currentBalance} to ${b.newBalance}`),
  complete: z
    .object({ status: z.literal('used'), points: z.int() })
    .transform((b) => `used ${b.points}`),
  cancel: z
    .object({ status: z.literal('expired'), cancelled: z.literal(true), points: z.int() })
    .transform((b) => `cancelled ${b.points}`),
  lookup: z
    .object({ status: z.string(), cancelled: z.boolean(), points: z.int() })
    .transform((b) => `${b.cancelled ? 'cancelled' : b.status} ${b.points}`),
  adjust: z.object({ balance: z.int() }).transform((b) => `balance ${b.balance}`),
  freeze: z.object({ status: z.string() }).transform((b) => b.status),
  unfreeze: z.object({ status: z.string() }).transform((b) => b.status),
  balance: z
    .object({ balance: z.int(), status: z.string(), owed: z.int() })
    .transform((b) => `${b.balance} ${b.status}${b.owed > 0 ? ` owes ${b.owed}` : ''}`),
  history: z
    .array(
      z
        .object({
          entry_type: z.enum(['credit', 'debit']),
          points: z.int(),
          reason: z.string(),
          balanceAfter: z.int(),
        })
        .transform(
          (e) =>
            `${e.entry_type === 'credit' ? '+' : '-'}${e.points} ${e.reason} ${e.balanceAfter}`,
        ),
    )
    .transform((entries) => entries.join(', ')),
};

function textOf({ kind }: Sent, body: unknown): string {
  const read = Answers[kind].safeParse(body);
  if (read.success) return read.data;
  throw new UnexpectedAnswer(`${kind}: ${JSON.stringify(body)}`);
}
