import type { WalletId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';
import * as wallets from '../ledger/wallets.ts';
import { cancelOpen, endAll } from './lifecycle.ts';
import { IS_OPEN } from './status.ts';

/** A wallet as it was before its status changed, and how many codes were cancelled with it. */
export type Changed = wallets.WalletState & { cancelledCodes: number };

/** Each is lost to a code that is issued at that moment; one of the last attempt is left held. */
const ATTEMPTS = 10;

/**
 * Freezes a wallet and cancels its open codes. Codes are locked before wallets, so that one may be
 * issued in between: then it begins again. Throws NOT_FOUND.
 */
export async function freeze(tx: Tx, walletId: WalletId): Promise<Changed> {
  for (let attempt = 1; ; attempt++) {
    await tx.raw('savepoint freezing');
    const { length: cancelledCodes } = await cancelOpen(tx, [walletId]);
    const wallet = await wallets.lock(tx, walletId);
    if (attempt === ATTEMPTS || !(await hasOpenCodes(tx, walletId))) {
      await wallets.setStatus(tx, walletId, 'frozen');
      return { ...wallet, cancelledCodes };
    }
    await tx.raw('rollback to savepoint freezing');
  }
}

/**
 * Unfreezes a wallet. A code that it still has was issued as it was frozen, or has run out since,
 * and ends before it could count as forfeited. A wallet that is not frozen, or is closed, stays as
 * it is. Throws NOT_FOUND.
 */
export async function unfreeze(tx: Tx, walletId: WalletId): Promise<Changed> {
  const frozen = await tx('wallets').where({ id: walletId, status: 'frozen' }).first('id');
  const { length: cancelledCodes } = await endAll(tx, frozen === undefined ? [] : [walletId]);
  const wallet = await wallets.lock(tx, walletId);
  if (wallet.closedAt === null) await wallets.setStatus(tx, walletId, 'active');
  return { ...wallet, cancelledCodes };
}

async function hasOpenCodes(tx: Tx, walletId: WalletId): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from redemptions r where r.wallet_id = :walletId and ${IS_OPEN} limit 1`,
    { walletId },
  );
  return rows.length > 0;
}
