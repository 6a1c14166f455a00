import type { Db } from '../../../db/connection.ts';
import { CANONICAL_ENTRY } from '../../../db/ledger/postings.ts';
import type { WalletId } from '../../../domain/ids.ts';

/**
 * Rewrites the history of a wallet as only the owner of the database can: its first entry, an
 * adjustment, gets `more` points, and everything that depends on it follows, hashes, balances,
 * checkpoint and audit entry included.
 */
export async function rewriteLedger(owner: Db, walletId: WalletId, more: number): Promise<void> {
  await owner.transaction(async (tx) => {
    for (const table of ['ledger_entries', 'audit_log']) {
      await tx.raw(`alter table ${table} disable trigger user`);
    }
    await tx.raw(
      `update ledger_entries e
       set points = points + case seq when 1 then :more else 0 end,
         balance_after = balance_after + :more
       where wallet_id = :walletId`,
      { walletId, more },
    );
    await tx.raw(
      `update audit_log a
       set after = after || jsonb_build_object('balance', e.balance_after, 'points',
         case e.entry_type when 'credit' then e.points else -e.points end)
       from ledger_entries e
       where e.wallet_id = :walletId and a.id = e.source_id`,
      { walletId },
    );
    const { rows } = await tx.raw<{ rows: { seq: number }[] }>(
      'select seq from ledger_entries where wallet_id = :walletId order by seq',
      { walletId },
    );
    let head: Buffer = Buffer.alloc(32);
    for (const { seq } of rows) {
      const hashed = await tx.raw<{ rows: { hash: Buffer }[] }>(
        `update ledger_entries e set hash = sha256(:head || ${CANONICAL_ENTRY})
         where wallet_id = :walletId and seq = :seq returning hash`,
        { walletId, seq, head },
      );
      head = hashed.rows[0]?.hash ?? head;
    }
    await tx('wallets')
      .where({ id: walletId })
      .update({ head, balance: tx.raw('balance + ?', [more]) });
    await tx('ledger_checkpoints').where({ walletId }).delete();
    for (const table of ['ledger_entries', 'audit_log']) {
      await tx.raw(`alter table ${table} enable trigger user`);
    }
  });
}

/** Dates an entry of a wallet back, as only the owner of the database can. */
export async function asEarnedAt(
  owner: Db,
  { walletId, seq }: { walletId: WalletId; seq: number },
  createdAt: Date,
): Promise<void> {
  await owner.raw('alter table ledger_entries disable trigger user');
  await owner('ledger_entries').where({ walletId, seq }).update({ createdAt });
  await owner.raw('alter table ledger_entries enable trigger user');
  await rewriteLedger(owner, walletId, 0);
}
