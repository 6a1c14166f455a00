import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { testCodes } from '../support/points/redemptions.ts';
import type { Recorded } from './history.ts';

const EXPIRED_WITHIN_MS = 60_000;
const POLL_MS = 100;

/**
 * Lets the time of a code run out now, unless it is closed: codes live longer than a test can wait.
 * Records it, and once for each code that a worker will return its points from then on.
 */
export async function makeOverdue(db: Db, code: string, history: Recorded[]): Promise<void> {
  const start = performance.now();
  const request = { kind: 'overdue', code } as const;
  const open = { caller: 'clock', start, end: Number.POSITIVE_INFINITY, answer: undefined };
  try {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `update redemptions
       set created_at = created_at - interval '1 hour', expires_at = clock_timestamp()
       where code_hmac = any(:hmacs) and status = 'issued' and expires_at > clock_timestamp()
       returning 1`,
      { hmacs: testCodes.hmacsOf(code) },
    );
    const answer = rows.length > 0 ? 'overdue' : 'not issued';
    history.push({ ...open, request, answer, end: performance.now() });
    if (rows.length === 0) return;
  } catch {
    history.push({ ...open, request });
  }
  const isExpected = history.some(
    ({ request: its }) => its.kind === 'expire' && its.codes.includes(code),
  );
  if (isExpected) return;
  const worker = { ...open, caller: 'worker' };
  history.push({ ...worker, request: { kind: 'expire', codes: [code] } });
}

/**
 * Waits until a worker has expired each code that is overdue, and records which ones it has: those
 * of one transaction as one operation, because what the wallet owes is paid after all of them.
 */
export async function untilExpired(db: Db, history: Recorded[]): Promise<Recorded[]> {
  const together = new Map<string, { code: string; nth: number; start: number }[]>();
  const others: Recorded[] = [];
  for (const operation of history) {
    const { request, start } = operation;
    const [code] = request.kind === 'expire' ? request.codes : [];
    const closed = code === undefined ? undefined : await untilClosed(db, code);
    if (code === undefined || closed?.status !== 'expired') {
      others.push(operation);
      continue;
    }
    const { returnedAt, nth } = closed;
    together.set(returnedAt, [...(together.get(returnedAt) ?? []), { code, nth, start }]);
  }
  const end = performance.now();
  const expired = [...together.values()].map((closed): Recorded => {
    const codes = closed.toSorted((one, other) => one.nth - other.nth).map(({ code }) => code);
    const start = Math.max(...closed.map((one) => one.start));
    const request = { kind: 'expire', codes } as const;
    return { caller: 'worker', request, answer: 'expired', start, end };
  });
  return [...others, ...expired];
}

/** How a code ended, and when its points returned, as which entry of its wallet. */
type Closed = { status: string; isOverdue: boolean; returnedAt: string; nth: number };

async function untilClosed(db: Db, code: string): Promise<Closed> {
  for (const deadline = Date.now() + EXPIRED_WITHIN_MS; Date.now() < deadline; ) {
    const { rows } = await db.raw<{ rows: Closed[] }>(
      `select case when r.cancelled_at is null then r.status else 'cancelled' end as status,
         r.expires_at <= now() as is_overdue, coalesce(e.created_at::text, '') as returned_at,
         coalesce(e.seq, 0) as nth
       from redemptions r
       left join ledger_entries e on e.wallet_id = r.wallet_id and e.source_id = r.id
         and e.reason = 'redemption_expired'
       where r.code_hmac = any(:hmacs)`,
      { hmacs: testCodes.hmacsOf(code) },
    );
    const [row] = rows;
    if (row === undefined) throw new Error('A code that was answered is not stored.');
    if (row.status !== 'issued' || !row.isOverdue) return row;
    await sleep(POLL_MS);
  }
  throw new Error(`No worker expired a code within ${EXPIRED_WITHIN_MS / 1000} s.`);
}
