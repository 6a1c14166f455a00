import { listConsumerChanges, listShopChanges } from '../../../db/changes/since.ts';
import { sumPending } from '../../../db/payments/pending.ts';
import * as codeGuesses from '../../../db/redemptions/code-guesses.ts';
import * as following from '../../../db/redemptions/following.ts';
import * as freezing from '../../../db/redemptions/freezing.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as redemptionMails from '../../../db/redemptions/mails.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import * as used from '../../../db/redemptions/used.ts';
import { listStandings } from '../../../db/users/standings.ts';
import type { RedemptionId, TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import { at, type Case, manyOf, tenantId, userId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

const owner = idOf('user', 2) as UserId;
/** As in the rows that the plans are judged by. */
const ownerOf = (n: number) => idOf('user', 2 + 2 * (n % 1_000)) as UserId;
const followed = { runId: tenantId, ids: manyOf(50, 'redemption') as RedemptionId[] };
const asked = <Key extends string>(key: string) => {
  return { key: key as Key, sinceMicros: (Date.now() - 30_000) * 1_000 };
};
const hmacs = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

/** What each redemption goes through. */
export const REDEMPTIONS: readonly Case[] = [
  { covers: 'payments/pending.sumPending', rows: 91, run: (tx) => sumPending(tx, [walletId]) },
  {
    covers: 'redemptions/redemptions.getRedeemable',
    rows: 1,
    run: (tx) => redemptions.getRedeemable(tx, idOf('wallet', 2) as WalletId, owner),
  },
  {
    covers: 'redemptions/redemptions.lockRedeemable',
    rows: 1,
    run: (tx) => redemptions.lockRedeemable(tx, idOf('wallet', 2) as WalletId, owner),
  },
  {
    covers: 'redemptions/redemptions.issue',
    rows: 1,
    run: (tx) =>
      redemptions.issue(
        tx,
        {
          id: idOf('new redemption', 1) as RedemptionId,
          walletId: idOf('wallet', 2) as WalletId,
          points: 1,
          discountValueMinorUnits: 1,
          ruleVersion: 1,
          lifetimeMs: 900_000,
        },
        () => ({
          keyId: 'k1',
          hmac: Buffer.alloc(32, 1),
          hmacs,
          sealed: 'v1.k1.x' as Sealed,
        }),
      ),
  },
  {
    covers: 'redemptions/redemptions.findByCode',
    rows: 2,
    run: (tx) => redemptions.findByCode(tx, tenantId, hmacs),
  },
  {
    covers: 'redemptions/redemptions.burn',
    rows: 2,
    run: (tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId: userId }),
  },
  {
    covers: 'redemptions/lifecycle.expireOverdue',
    // Closes the codes, and settles the debts of their wallets.
    rows: 100,
    run: (tx) => lifecycle.expireOverdue(tx, 'refund', 50),
  },
  {
    covers: 'redemptions/lifecycle.expireOne',
    rows: 1,
    run: (tx) => lifecycle.expireOne(tx, at.redemption, 'refund'),
  },
  {
    covers: 'redemptions/lifecycle.expireGiven',
    rows: 100,
    run: (tx) => lifecycle.expireGiven(tx, 'refund', manyOf(50, 'redemption') as RedemptionId[]),
  },
  {
    covers: 'redemptions/freezing.freeze',
    rows: 100,
    run: (tx) => freezing.freeze(tx, at.wallet),
  },
  {
    covers: 'redemptions/freezing.unfreeze',
    rows: 100,
    run: (tx) => freezing.unfreeze(tx, at.wallet),
  },
  {
    covers: 'redemptions/lifecycle.cancelOpen',
    rows: 100,
    run: (tx) => lifecycle.cancelOpen(tx, [at.wallet]),
  },
  {
    covers: 'redemptions/lifecycle.endAll',
    rows: 100,
    run: (tx) => lifecycle.endAll(tx, [at.wallet]),
  },
  {
    covers: 'redemptions/lifecycle.returnOverdue',
    // Of another tenant than that of all codes: of one, few are overdue that no sweep has found.
    rows: 1,
    run: (tx) => lifecycle.returnOverdue(tx, at.tenant),
  },
  {
    covers: 'redemptions/lifecycle.cancel',
    rows: 1,
    run: (tx) =>
      lifecycle.cancel(tx, { id: idOf('redemption', 3) as RedemptionId, userId: ownerOf(3) }),
  },
  {
    covers: 'redemptions/listing.listOwned',
    rows: 50,
    run: (tx) => listing.listOwned(tx, [owner], followed.ids),
  },
  {
    covers: 'redemptions/used.listUsedAmong',
    rows: 50,
    run: (tx) => used.listUsedAmong(tx, [tenantId], followed.ids),
  },
  {
    covers: 'changes/since.listConsumerChanges',
    // A wallet of each, and what of its redemptions is a day old.
    rows: 100,
    run: (tx) => listConsumerChanges(tx, manyOf(20, 'user').map(asked<UserId>)),
  },
  {
    covers: 'changes/since.listShopChanges',
    rows: 100,
    run: (tx) => listShopChanges(tx, manyOf(20, 'tenant').map(asked<TenantId>)),
  },
  {
    covers: 'users/standings.listStandings',
    rows: 50,
    run: (tx) => listStandings(tx, manyOf(50, 'user') as UserId[]),
  },
  {
    covers: 'redemptions/following.follow',
    rows: 100,
    run: (tx) => following.follow(tx, followed),
  },
  {
    covers: 'redemptions/following.findBatchProgress',
    rows: 50,
    run: (tx) => following.findBatchProgress(tx, followed),
  },
  {
    covers: 'redemptions/following.renewFollowing',
    rows: 100,
    run: (tx) => following.renewFollowing(tx, followed),
  },
  {
    covers: 'redemptions/mails.listCodeMails',
    rows: 50,
    run: (tx) => redemptionMails.listCodeMails(tx, { ...followed, after: null, limit: 25 }),
  },
  {
    covers: 'redemptions/mails.nextCodeMailInMs',
    rows: 50,
    run: (tx) => redemptionMails.nextCodeMailInMs(tx, followed),
  },
  {
    covers: 'redemptions/mails.listExpiryMails',
    rows: 50,
    run: (tx) => redemptionMails.listExpiryMails(tx, { ...followed, after: null, limit: 25 }),
  },
  {
    covers: 'redemptions/code-guesses.secondsBlocked',
    rows: 1,
    run: (tx) => codeGuesses.secondsBlocked(tx, userId),
  },
];
