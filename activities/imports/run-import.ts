import type { Acting } from '../../db/audit-log.ts';
import { announce } from '../../db/changes/announce.ts';
import type { Db, Tx } from '../../db/connection.ts';
import * as dueWork from '../../db/due-work.ts';
import * as imports from '../../db/imports/imports.ts';
import * as importRows from '../../db/imports/rows.ts';
import { limitLockWaits } from '../../db/lock-waits.ts';
import * as contacts from '../../db/users/contacts.ts';
import type { MemberImport } from '../../domain/imports.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import type { IngestPolicy } from '../ingestion/decide/ingest-policy.ts';
import { isolate } from '../isolate.ts';
import { continues } from '../progress.ts';
import { bringOver, type Moved } from './bring-over.ts';
import { findRowOwners } from './owners.ts';
import { takeBack } from './take-back.ts';

export type ImportDeps = {
  db: Db;
  ingestPolicy: Pick<IngestPolicy, 'fingerprints'>;
  log: Pick<Logger, 'error'>;
};

/** So many rows are credited, or taken back, in one transaction. */
const PAGE = 500;

/**
 * Credits the rows of imports that were approved, and takes back those that are reverted, page by
 * page, each in a transaction that also stores what became of its rows. Killed anywhere, run again
 * or twice at once, each row is credited and taken back once. A row that fails is left to a later
 * turn, and holds up no other.
 */
export function runImport(deps: ImportDeps): DueWorker<'run_import'> {
  return {
    kind: 'run_import',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 60, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => imports.findUnderWay(deps.db, ids),
        (found, until) => takeTurn(deps, found, until),
      ),
  };
}

/** An import on its way to its next status. */
type UnderWay = MemberImport & { status: 'running' | 'reverting'; acting: Acting };

async function takeTurn(deps: ImportDeps, found: MemberImport, until: number): Promise<Outcome> {
  const { db, log } = deps;
  const status = found.status === 'running' ? 'running' : 'reverting';
  const done = status === 'running' ? 'approve' : 'revert';
  const its: UnderWay = { ...found, status, acting: await imports.findActing(db, found, done) };
  let left = 0;
  for (let after = 0; ; ) {
    continues();
    if (performance.now() > until) return 'again';
    const page = await importRows.listOpen(db, its, { after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    const results = await isolate(
      page,
      (rows, leavesHeld) => movePage(deps, its, { ids: rows.map(({ id }) => id), leavesHeld }),
      async ({ line }, err) => {
        const message = 'A row of an import failed and is tried again later';
        log.error({ event: 'import_row_failed', importId: its.id, line, err }, message);
        return 1;
      },
    );
    left += results.reduce((sum, one) => sum + one, 0);
    after = last.line;
  }
  if (left > 0) return 'later';
  await db.transaction((tx) => finish(tx, its));
  return 'done';
}

/** Does a page in a transaction, and returns how many rows were left. */
async function movePage(
  { db, ingestPolicy }: ImportDeps,
  its: UnderWay,
  { ids, leavesHeld }: { ids: readonly string[]; leavesHeld: boolean },
): Promise<number> {
  const moved = await db.transaction(async (tx): Promise<Moved> => {
    await imports.lockShop(tx, its.tenantId);
    await limitLockWaits(tx);
    const rows = await importRows.lockOpen(tx, its, ids);
    if (its.status === 'reverting') return takeBack(tx, its, { rows, leavesHeld });
    const people = await contacts.find(
      tx,
      rows.flatMap(({ userId }) => userId ?? []),
    );
    const owned = await findRowOwners(tx, ingestPolicy, { rows, people });
    return bringOver(tx, its, { rows: owned, leavesHeld });
  });
  announce(db, { userIds: moved.userIds });
  return moved.left;
}

/** Ends an import of which no row is left, once, and has its owners told. */
async function finish(tx: Tx, its: UnderWay): Promise<void> {
  const to = its.status === 'running' ? 'done' : 'reverted';
  await imports.lockShop(tx, its.tenantId);
  const current = await imports.get(tx, its.tenantId, its.id);
  if (current.status !== its.status) return;
  await imports.setStatus(tx, its.id, to);
  await dueWork.note(tx, 'tell_of_import', [its.id]);
}
