import type { Db, Tx } from '../../db/connection.ts';
import * as expiring from '../../db/ledger/expiring.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { limitLockWaits } from '../../db/lock-waits.ts';
import * as progress from '../../db/tenants/expiry-progress.ts';
import { listWallets } from '../../db/tenants/expiry-runs.ts';
import * as liability from '../../db/tenants/liability.ts';
import { rewardFactor } from '../../db/tenants/rewards.ts';
import type { WalletId } from '../../domain/ids.ts';
import { monthText } from '../../domain/intervals.ts';
import { isolate } from '../isolate.ts';
import { continues } from '../progress.ts';
import { PAGE } from './wallet-pages.ts';

export type TakingDeps = { db: Db; log: { error(fields: object, message: string): void } };

/** What of a tenant's wallets was taken, how many were read, and of how many it failed. */
export type TakenWallets = { points: number; wallets: number; failed: number };

/**
 * Takes what is due by the end of a month of all wallets of a tenant that have entries, from where
 * its run is, and counts what it leaves, until the run is at its end. Wallets without points are
 * read for what was used of them, and for what is in open codes.
 */
export async function takeWallets(
  deps: TakingDeps,
  run: liability.CountingRun,
  limit = PAGE,
): Promise<TakenWallets> {
  const { db } = deps;
  const { tenantId } = run;
  const taken: TakenWallets = { points: 0, wallets: 0, failed: 0 };
  for (;;) {
    continues();
    const { after, isFinished } = await progress.findPosition(db, run);
    if (isFinished) return taken;
    const page = { tenantId, after, limit, which: 'with entries' } as const;
    const ids = run.calendar.canBeDueBy(run.month) ? await listWallets(db, page) : [];
    if (ids.length > 0) await takePage(deps, run, { after, ids, taken });
    else if (await finish(db, run, after)) return taken;
  }
}

/** Takes of a page, in parts where one fails alone, until another run goes on in its place. */
async function takePage(
  { db, log }: TakingDeps,
  run: liability.CountingRun,
  page: { after: WalletId | null; ids: readonly WalletId[]; taken: TakenWallets },
): Promise<void> {
  const { taken } = page;
  let { after } = page;
  let isOurs = true;
  /** Goes on with a part, which is counted once that is committed. */
  const goOn = async (ids: readonly WalletId[], work: (tx: Tx) => Promise<number>) => {
    const points = isOurs ? await fromPosition(db, run, after, work) : undefined;
    if (points === undefined) isOurs = false;
    else {
      after = ids.at(-1) ?? after;
      taken.points += points;
      taken.wallets += ids.length;
    }
    return isOurs;
  };
  await isolate(
    page.ids,
    (ids) => goOn(ids, (tx) => take(tx, run, ids)),
    async (walletId, err) => {
      const text = { event: 'points_not_expired', walletId, month: monthText(run.month), err };
      log.error(text, 'Points of a wallet did not expire; it is tried again each hour');
      taken.failed++;
      return goOn([walletId], async (tx) => {
        await progress.passOver(tx, run, walletId);
        return 0;
      });
    },
  );
}

/** Does something in a transaction where the run is; nothing, and undefined, if it is elsewhere. */
function fromPosition<Result>(
  db: Db,
  run: liability.CountingRun,
  after: WalletId | null,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result | undefined> {
  return db.transaction(async (tx) => {
    // Another run's page is waited for: that is no wallet which somebody holds.
    if (!(await progress.claim(tx, run, after))) return undefined;
    return work(tx);
  });
}

async function take(
  tx: Tx,
  run: liability.CountingRun,
  walletIds: readonly WalletId[],
): Promise<number> {
  await limitLockWaits(tx);
  await wallets.lockAll(tx, walletIds, []);
  const held = await expiring.readLots(tx, walletIds, run.calendar, run.now);
  const points = await expiring.take(tx, run, held);
  const openCodes = await liability.add(tx, run, held);
  const [last] = walletIds.slice(-1);
  if (last !== undefined) await progress.advance(tx, run, { after: last, openCodes });
  return points;
}

/** Finishes the run, or starts it over where it has left out a wallet; false if another did. */
async function finish(
  db: Db,
  run: liability.CountingRun,
  after: WalletId | null,
): Promise<boolean> {
  const factor = await rewardFactor(db, run.tenantId);
  const ended = await fromPosition(db, run, after, async (tx) => {
    await progress.finish(tx, run, factor);
    return true;
  });
  return ended ?? false;
}
