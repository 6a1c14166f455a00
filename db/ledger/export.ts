import { Refusal } from '../../domain/errors.ts';
import type { EntryId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import type { EntryReason, EntryType, SourceType } from './postings.ts';

/** An entry as it is exported, with the wallet's owner and the hash that chains it. */
export type ExportedEntry = {
  id: EntryId;
  walletId: WalletId;
  userId: UserId;
  seq: number;
  entryType: EntryType;
  points: number;
  balanceAfter: number;
  reason: EntryReason;
  sourceType: SourceType;
  sourceId: string;
  createdAt: Date;
  hash: string;
};

const ROWS_AT_A_TIME = 2_000;

/**
 * Passes every entry of a tenant to `take`, wallet by wallet in the order of their chains, in
 * parts, and as of one moment. Waits for `take`, however long it takes. Throws TENANT_NOT_FOUND.
 */
export async function readLedger(
  db: Db,
  tenantId: TenantId,
  take: (entries: ExportedEntry[]) => Promise<void>,
): Promise<void> {
  await db.transaction(
    async (tx) => {
      await tx.raw('set local statement_timeout = 0');
      // The reader may pause between two parts.
      await tx.raw('set local idle_in_transaction_session_timeout = 0');
      const tenant = await tx('tenants').where({ id: tenantId }).first('id');
      if (tenant === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');

      await tx.raw(
        `declare ledger no scroll cursor for
         select e.id, e.wallet_id, w.user_id, e.seq, e.entry_type, e.points, e.balance_after,
           e.reason, e.source_type, e.source_id, e.created_at, encode(e.hash, 'hex') as hash
         from wallets w join ledger_entries e on e.wallet_id = w.id
         where w.tenant_id = :tenantId
         order by w.id, e.seq`,
        { tenantId },
      );
      for (;;) {
        const { rows } = await tx.raw<{ rows: ExportedEntry[] }>(
          `fetch ${ROWS_AT_A_TIME} from ledger`,
        );
        if (rows.length === 0) break;
        await take(rows);
      }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
