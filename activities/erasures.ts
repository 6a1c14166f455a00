import { announce } from '../db/changes/announce.ts';
import type { Db } from '../db/connection.ts';
import { isDatabaseUnreachable } from '../db/errors.ts';
import { limitLockWaits } from '../db/lock-waits.ts';
import { untilReadersEnd } from '../db/open-transactions.ts';
import * as erasedSubjects from '../db/users/erased-subjects.ts';
import * as erasing from '../db/users/erasing.ts';
import * as erasures from '../db/users/erasures.ts';
import type { Sealer } from '../gateways/crypto/sealer.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import type { IngestPolicy } from './ingestion/decide/ingest-policy.ts';
import { continues } from './progress.ts';

export type ErasureDeps = {
  db: Db;
  /** Recognises a subject without storing it. */
  contactProofs: Sealer['fingerprints'];
  ingestPolicy: Pick<IngestPolicy, 'fingerprints'>;
  log: Pick<Logger, 'error'>;
};

const BATCH = 100;
const SUBJECTS = 1_000;
/** A transaction takes far less, unless something holds it up. */
const PATIENCE_MS = 60_000;

/** The erasure of people, each hour of those whose time has come. */
export function createErasureActivities(deps: ErasureDeps) {
  return {
    /**
     * Erases everybody whose time has come, and returns how many; then forgets the bodies of
     * events that have reported payments of who was erased before. One that fails is logged and
     * holds up no other; in the end it throws. What a call leaves undone, the next one does.
     */
    async eraseDue(): Promise<number> {
      const { db, log } = deps;
      let failed = 0;
      let erased = 0;
      for (const erasure of await erasures.listDue(db, BATCH)) {
        continues();
        try {
          if (await erasePerson(deps, erasure)) erased += 1;
        } catch (err) {
          if (isDatabaseUnreachable(err)) throw err;
          log.error({ event: 'erasure_failed', erasureId: erasure.id, err }, 'An erasure failed');
          failed += 1;
        }
      }
      for (const userId of await erasures.listErased(db)) {
        continues();
        await erasing.forgetBodies(db, userId);
      }
      await erasedSubjects.deleteOld(db, SUBJECTS);
      if (failed > 0) throw new Error(`${failed} erasures failed and are tried again.`);
      return erased;
    },
  };
}

/**
 * Erases a person, step by step, and says whether: not if it was withdrawn meanwhile. Killed
 * anywhere, it goes on when it is run again; run twice at once, it does everything once. Throws
 * when a transaction that may still credit the person does not end.
 */
export async function erasePerson(
  { db, contactProofs: proofs, ingestPolicy }: Omit<ErasureDeps, 'log'>,
  erasure: erasures.Erasure,
): Promise<boolean> {
  const { userId } = erasure;
  if (!(await db.transaction((tx) => erasing.begin(tx, erasure)))) return false;
  announce(db, { userIds: [userId], accessOf: [userId] });
  const { fingerprints } = ingestPolicy;
  await db.transaction((tx) => erasing.forget(tx, userId, { proofs, fingerprints }));
  // Who was recognised before that may still get a wallet, points, or a payment that names them.
  if (!(await untilReadersEnd(db, 'users', PATIENCE_MS))) {
    throw new Error('A transaction that has read the users does not end.');
  }
  await erasing.forgetPayments(db, userId);
  for (const walletId of await erasing.listWallets(db, userId)) {
    continues();
    await db.transaction(async (tx) => {
      await limitLockWaits(tx);
      await erasing.closeWallet(tx, walletId);
    });
  }
  await erasing.forgetBodies(db, userId);
  await db.transaction((tx) => erasing.finish(tx, erasure));
  return true;
}
