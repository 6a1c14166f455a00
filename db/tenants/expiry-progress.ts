import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { Month } from '../../domain/intervals.ts';
import type { Db, Tx } from '../connection.ts';
import { dateOf, monthIn } from '../ledger/expiring.ts';
import { one } from '../one.ts';
import type { SkippedMonth } from './expiry-runs.ts';

/*
 * How far the run of a month has come. Its row is the place that all of its pages pass: a page
 * locks it, before any wallet, goes on from where it is, and moves it in the same transaction. So
 * several runs at once, or one that was killed, take and count each wallet once.
 */

/** The run of a month of a tenant. */
export type ExpiryRun = { tenantId: TenantId; month: Month };

/** Where a run is: the last wallet that is done, null at the beginning. */
export type Position = { after: WalletId | null; isFinished: boolean };

/**
 * Begins a month, or goes on with it. One that is skipped is finished by that, unless it was taken
 * before. Returns the first month that no run before it has taken; all, if there was none.
 */
export async function begin(
  db: Db,
  { tenantId, month }: ExpiryRun,
  skipped: SkippedMonth | null,
): Promise<Month> {
  const { rows } = await db.raw<{ rows: { last: string | null }[] }>(
    `insert into expiry_runs as r (tenant_id, month, begun_at, skipped, finished_at)
     values (:tenantId, :month, now(), :skipped::text, case when :skipped::text is not null
       then now() end)
     on conflict on constraint expiry_runs_once_per_month do update
     set begun_at = coalesce(r.begun_at, now()),
       skipped = case when r.finished_at is null or r.skipped is not null
         then excluded.skipped end,
       finished_at = coalesce(excluded.finished_at,
         case when r.skipped is null then r.finished_at end)
     returning (
       select max(b.month)::text from expiry_runs b
       where b.tenant_id = r.tenant_id and b.month < r.month
         and b.begun_at is not null and b.skipped is null
     ) as last`,
    { tenantId, month: dateOf(month), skipped },
  );
  const { last } = one(rows, 'begun month');
  return last === null ? Number.NEGATIVE_INFINITY : monthIn(last) + 1;
}

/** Starts a run over: it forgets what it has counted. */
export async function restart(tx: Tx, run: ExpiryRun): Promise<void> {
  // First the row: after that no page adds anything that is not seen here.
  await ofRun(tx, run).update({
    after: null,
    passedOver: false,
    readAt: null,
    openCodes: 0,
    finishedAt: null,
  });
  await tx('liability_months').where(keyOf(run)).delete();
}

/** Returns where a run is. */
export async function findPosition(db: Db, run: ExpiryRun): Promise<Position> {
  const { rows } = await db.raw<{ rows: Position[] }>(
    `select after, finished_at is not null as is_finished from expiry_runs
     where tenant_id = :tenantId and month = :month`,
    keyOf(run),
  );
  return one(rows, 'position of a run');
}

/** Locks a run, and returns whether it is where its page was read, and goes on from there. */
export async function claim(tx: Tx, run: ExpiryRun, after: WalletId | null): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { isThere: boolean }[] }>(
    `select after is not distinct from :after::uuid and finished_at is null as is_there
     from expiry_runs where tenant_id = :tenantId and month = :month for no key update`,
    { ...keyOf(run), after },
  );
  return one(rows, 'locked run').isThere;
}

/** Moves a claimed run to the last wallet that is done, and adds the points in their open codes. */
export async function advance(
  tx: Tx,
  run: ExpiryRun,
  { after, openCodes }: { after: WalletId; openCodes: number },
): Promise<void> {
  await tx.raw(
    `update expiry_runs
     set after = :after, open_codes = open_codes + :openCodes, read_at = clock_timestamp()
     where tenant_id = :tenantId and month = :month`,
    { ...keyOf(run), after, openCodes },
  );
}

/** Moves a claimed run past a wallet that failed: at its end it starts over. */
export async function passOver(tx: Tx, run: ExpiryRun, walletId: WalletId): Promise<void> {
  await ofRun(tx, run).update({ after: walletId, passedOver: true });
}

/**
 * Ends a claimed run, with what a point was worth in rewards. One that has passed over a wallet
 * starts over instead: what was taken is not taken twice.
 */
export async function finish(tx: Tx, run: ExpiryRun, rewardFactor: number | null): Promise<void> {
  const finished = await ofRun(tx, run)
    .where({ passedOver: false })
    .update({ finishedAt: tx.fn.now(), rewardFactor });
  if (finished === 0) await restart(tx, run);
}

const ofRun = (tx: Tx, run: ExpiryRun) => tx('expiry_runs').where(keyOf(run));

const keyOf = ({ tenantId, month }: ExpiryRun) => ({ tenantId, month: dateOf(month) });
