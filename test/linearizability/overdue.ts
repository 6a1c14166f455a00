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
    (operation) => operation.request.kind === 'expire' && operation.request.code === code,
  );
  if (isExpected) return;
  const worker = { ...open, caller: 'worker' };
  history.push({ ...worker, request: { kind: 'expire', code } });
}

/** Waits until a worker has expired each code that is overdue, and records which ones it has. */
export async function untilExpired(db: Db, history: Recorded[]): Promise<Recorded[]> {
  const codes = history.flatMap(({ request }) => (request.kind === 'expire' ? request.code : []));
  const statuses = new Map<string, string>();
  for (const code of codes) statuses.set(code, await untilClosed(db, code));
  const end = performance.now();
  return history.map((operation) => {
    const { request } = operation;
    if (request.kind !== 'expire' || statuses.get(request.code) !== 'expired') return operation;
    return { ...operation, answer: 'expired', end };
  });
}

async function untilClosed(db: Db, code: string): Promise<string> {
  for (const deadline = Date.now() + EXPIRED_WITHIN_MS; Date.now() < deadline; ) {
    const { rows } = await db.raw<{ rows: { status: string; isOverdue: boolean }[] }>(
      `select case when cancelled_at is null then status else 'cancelled' end as status,
         expires_at <= now() as is_overdue
       from redemptions where code_hmac = any(:hmacs)`,
      { hmacs: testCodes.hmacsOf(code) },
    );
    const [row] = rows;
    if (row === undefined) throw new Error('A code that was answered is not stored.');
    if (row.status !== 'issued' || !row.isOverdue) return row.status;
    await sleep(POLL_MS);
  }
  throw new Error(`No worker expired a code within ${EXPIRED_WITHIN_MS / 1000} s.`);
}
