import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/connection.ts';
import * as lifecycle from '../db/redemptions/lifecycle.ts';
import * as redemptions from '../db/redemptions/redemptions.ts';
import { RedemptionId, type UserId, type WalletId } from '../domain/ids.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';

/** How many codes were issued and how many expired, which returned their points. */
export type RedemptionCounts = { confirms: number; expiries: number };

export type RedemptionWork = {
  /** Stops issuing, expires the last codes, and returns the counts. */
  stop(): Promise<RedemptionCounts>;
};

type Options = {
  /** Every consumer whose number is a multiple of this redeems. */
  everyConsumer: number;
  /** How many connections issue codes, and how many expire them. */
  connections: number;
  pauseMs: number;
};

const CODE_LIFETIME_MS = 50;
const EXPIRED_AT_ONCE = 20;

const codes = createRedemptionCodes([{ id: 'k1', key: new Uint8Array(32) }]);

type Wallet = { walletId: WalletId; userId: UserId };

/** Issues codes over half the points of wallets, and expires them, until it is stopped. */
export async function startRedemptions(db: Db, options: Options): Promise<RedemptionWork> {
  const { everyConsumer, connections, pauseMs } = options;
  const { rows: wallets } = await db.raw<{ rows: Wallet[] }>(
    `select w.id as wallet_id, w.user_id from wallets w join users u on u.id = w.user_id
     where u.sub::int % :everyConsumer = 0`,
    { everyConsumer },
  );
  const counts: RedemptionCounts = { confirms: 0, expiries: 0 };
  let isOver = false;
  const repeat = async (work: () => Promise<void>) => {
    for (; !isOver; await sleep(pauseMs)) await work();
  };
  const expire = async () => {
    const expired = await lifecycle.expireOverdue(db, 'refund', EXPIRED_AT_ONCE);
    counts.expiries += expired.length;
  };
  const confirm = async () => {
    const wallet = wallets[Math.floor(Math.random() * wallets.length)];
    if (wallet !== undefined && (await confirmHalf(db, wallet))) counts.confirms += 1;
  };
  const working = Array.from({ length: connections }, () => [repeat(confirm), repeat(expire)]);
  const worked = Promise.all(working.flat());
  // It is awaited only when it is stopped; until then, a failure must not end the process.
  worked.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await worked;
      while (counts.expiries < counts.confirms) {
        await sleep(CODE_LIFETIME_MS);
        await expire();
      }
      return counts;
    },
  };
}

/** Issues a code over half the points of the wallet, rounded up; returns false if it has none. */
function confirmHalf(db: Db, { walletId, userId }: Wallet): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { balance, tenantId } = await redemptions.lockRedeemable(tx, walletId, userId);
    const points = Math.ceil(balance / 2);
    if (points === 0) return false;
    const owner = { id: RedemptionId.parse(randomUUID()), tenantId };
    const terms = { points, discountValueMinorUnits: points, ruleVersion: 1 };
    const redemption = { ...owner, ...terms, walletId, lifetimeMs: CODE_LIFETIME_MS };
    await redemptions.issue(tx, redemption, () => codes.make(owner));
    return true;
  });
}
