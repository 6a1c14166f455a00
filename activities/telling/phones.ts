import { createHash } from 'node:crypto';
import type { Db } from '../../db/connection.ts';
import * as points from '../../db/notices/points.ts';
import * as subscriptions from '../../db/notices/push-subscriptions.ts';
import { findUsed } from '../../db/notices/used-codes.ts';
import type { UserId } from '../../domain/ids.ts';
import { pointsPush, usedCodePush } from '../../domain/texts/pushes.ts';
import type { Pusher } from '../../gateways/push/pusher.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';

export type PhoneDeps = {
  db: Db;
  /** Undefined where the service has no key for pushes: then nobody is told. */
  pusher: Pusher | undefined;
};

const HOW = {
  batch: 100,
  // A push service that does not answer takes five seconds of one of these.
  atOnce: 20,
  // What is not taken for an hour is given up: see `db/notices`.
  backOff: { firstSeconds: 60, longestSeconds: 1_200 },
};

/**
 * Tells the phones of the owners of wallets of the points that they are, or would be, mailed about.
 * One who was being told when the worker was killed is told again, which takes the place of the
 * first.
 */
export function pushPoints(deps: PhoneDeps): DueWorker<'push_points'> {
  const kind = 'push_points';
  return {
    kind,
    ...HOW,
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => points.findNotices(deps.db, kind, ids),
        async (notice) => {
          const { id, after, tenantName: shopName } = notice;
          const tag = `points-${id}-${after}`;
          const payload = pointsPush({ ...notice, walletId: id, shopName, tag });
          const outcome = await tellPhones(deps, notice.userId, { payload, tag });
          if (outcome === 'done') await points.recordTold(deps.db, kind, notice);
          return outcome;
        },
      ),
  };
}

/** Tells the phones of those whose codes were used; killed and run again, as `pushPoints`. */
export function pushUsedCodes(deps: PhoneDeps): DueWorker<'push_used_code'> {
  return {
    kind: 'push_used_code',
    ...HOW,
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => findUsed(deps.db, ids),
        async (code) => {
          const tag = `used-${code.id}`;
          const payload = usedCodePush({ ...code, shopName: code.tenantName, tag });
          return tellPhones(deps, code.userId, { payload, tag });
        },
      ),
  };
}

/** Says `later` if one of the phones has to be told again; the others then are not. */
async function tellPhones(
  { db, pusher }: PhoneDeps,
  userId: UserId,
  { payload, tag }: { payload: string; tag: string },
): Promise<Outcome> {
  if (pusher === undefined) return 'done';
  const told = digestOf(payload);
  const phones = await subscriptions.list(db, userId);
  const outcomes = phones
    .filter(({ pushed }) => pushed !== told)
    .map(async (phone): Promise<Outcome> => {
      const pushed = await pusher.push(phone, { payload, topic: digestOf(tag) });
      if (pushed === 'later') return 'later';
      if (pushed === 'gone') await subscriptions.dropGone(db, phone);
      if (pushed === 'taken') await subscriptions.recordPushed(db, phone.id, told);
      return 'done';
    });
  return (await Promise.all(outcomes)).includes('later') ? 'later' : 'done';
}

/** 32 characters, which is all that a topic may have; it says nothing to the push service. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
