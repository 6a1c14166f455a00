import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { ProvenEntry } from '../../domain/wallet-proof.ts';
import type { Db } from '../connection.ts';

/** The newest entry of a wallet that a statement names, and which statement that is. */
export type SignedAt = { tenantId: TenantId; number: number; seq: number };

/** Finds the last statement that names a wallet; undefined while there is none. */
export async function findSigned(db: Db, walletId: WalletId): Promise<SignedAt | undefined> {
  return db('signed_heads').where({ walletId }).first<SignedAt>('tenantId', 'number', 'seq');
}

/** A statement as it was signed. */
export type SignedText = { text: string; signature: string };

/** Lists the next statements of a tenant from a number on, in their order. */
export async function listFrom(
  db: Db,
  tenantId: TenantId,
  { number, limit }: { number: number; limit: number },
): Promise<SignedText[]> {
  const { rows } = await db.raw<{ rows: SignedText[] }>(
    `select text, encode(signature, 'hex') as signature from ledger_statements
     where tenant_id = :tenantId and number >= :number order by number limit :limit`,
    { tenantId, number, limit },
  );
  return rows;
}

/**
 * Lists the newest entries of a wallet, the oldest of them first, with what their hashes cover.
 * Times are in microseconds since 1970, as text.
 */
export async function listEntries(
  db: Db,
  walletId: WalletId,
  limit: number,
): Promise<ProvenEntry[]> {
  const { rows } = await db.raw<{ rows: ProvenEntry[] }>(
    `select id, seq, entry_type, points, balance_after, reason, source_type, source_id,
       trunc(extract(epoch from created_at) * 1000000)::text as created_at_microseconds,
       encode(hash, 'hex') as hash
     from ledger_entries where wallet_id = :walletId order by seq desc limit :limit`,
    { walletId, limit },
  );
  return rows.reverse();
}
