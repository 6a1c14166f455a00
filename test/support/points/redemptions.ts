import type { Db } from '../../../db/connection.ts';
import { newId } from '../../../db/new-id.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId, TenantId, type UserId, type WalletId } from '../../../domain/ids.ts';
import { CODE_LIFETIME_MS } from '../../../domain/redemption.ts';
import {
  createRedemptionCodes,
  type RedemptionCodes,
} from '../../../gateways/crypto/redemption-codes.ts';
import { aUser, aWallet, required, testKeys } from '../factories.ts';

export const testCodes: RedemptionCodes = createRedemptionCodes(testKeys);

export type Issued = {
  id: RedemptionId;
  code: string;
  walletId: WalletId;
  tenantId: TenantId;
  userId: UserId;
  expiresAt: Date;
};

/** Redeems 30 points by default, from a new wallet of 100 points unless one is given. */
export async function aRedemption(
  db: Db,
  options: {
    id?: RedemptionId;
    walletId?: WalletId;
    points?: number;
    lifetimeMs?: number;
    email?: string;
    /** The shop's when the code is confirmed. */
    currency?: string;
    codes?: RedemptionCodes;
  } = {},
): Promise<Issued> {
  const { points = 30, lifetimeMs = CODE_LIFETIME_MS, codes = testCodes, email } = options;
  const userId = email === undefined ? undefined : await aUser(db, { email });
  const walletId =
    options.walletId ?? (await aWallet(db, { balance: 100, ...(userId && { userId }) }));
  const wallet = await db('wallets')
    .where({ id: walletId })
    .first<{ tenantId: string; userId: UserId }>();
  const owner = {
    id: options.id ?? RedemptionId.parse(newId()),
    tenantId: TenantId.parse(required(wallet).tenantId),
  };
  const { currency } = options;
  if (currency !== undefined) {
    await db('tenants').where({ id: owner.tenantId }).update({ currency });
  }
  const { code, expiresAt } = await db.transaction((tx) =>
    redemptions.issue(
      tx,
      { ...owner, walletId, points, discountValueMinorUnits: points, ruleVersion: 1, lifetimeMs },
      () => codes.make(owner),
    ),
  );
  return { ...owner, code: code.code, walletId, userId: required(wallet).userId, expiresAt };
}

/** Moves redemptions back in time, so that they expire `seconds` from now. */
export async function expiresIn(
  db: Db,
  ids: readonly RedemptionId[],
  seconds: number,
): Promise<void> {
  await db.raw(
    `update redemptions set created_at = created_at - interval '1 hour',
       expires_at = now() + make_interval(secs => :seconds)
     where id = any(:ids)`,
    { seconds, ids: [...ids] },
  );
}

/** The balance of the wallet. */
export async function balanceOf(db: Db, walletId: WalletId): Promise<number> {
  const wallet = await db('wallets').where({ id: walletId }).first<{ balance: number }>('balance');
  return required(wallet).balance;
}

export type RedemptionRow = {
  status: string;
  sealedCode: string | null;
  pointsReturned: boolean;
  usedAt: Date | null;
  usedBy: UserId | null;
  expiredAt: Date | null;
  cancelledAt: Date | null;
  expiresAt: Date;
  createdAt: Date;
  followedAt: Date | null;
  codeMailedAt: Date | null;
  expiryToldAt: Date | null;
};

/** The stored row of the redemption. */
export async function redemptionRow(db: Db, id: RedemptionId): Promise<RedemptionRow> {
  return required(await db('redemptions').where({ id }).first<RedemptionRow>());
}
