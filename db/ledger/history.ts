import type { WalletId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import type { LedgerEntry, SourceType } from './postings.ts';

/** An entry, with the sale or the discount that it is about. */
export type ListedEntry = LedgerEntry & {
  sale: {
    amountMinorUnits: number;
    tipMinorUnits: number;
    /** By all refunds so far. */
    refundedMinorUnits: number;
    currency: string;
    provider: Provider;
    occurredAt: Date;
  } | null;
  discount: { discountValueMinorUnits: number; currency: string | null } | null;
};

/** As it is read: of a sale, of a discount, or of neither. */
type Row = LedgerEntry &
  NonNullable<ListedEntry['sale']> & { isSale: boolean; discountValueMinorUnits: number | null };

/**
 * Lists a wallet's entries, newest first, older than the sequence number `before`: all of them, or
 * those of one cause.
 */
export async function listOfWallet(
  db: Db,
  walletId: WalletId,
  page: { limit: number; before?: number | undefined; sourceType?: SourceType | undefined },
): Promise<ListedEntry[]> {
  const { limit, before = null, sourceType = null } = page;
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select e.*, p.id is not null as is_sale, p.amount_minor_units, p.tip_minor_units,
       p.refunded_minor_units, p.provider, p.occurred_at,
       coalesce(p.currency, r.currency) as currency, r.discount_value_minor_units
     from (
       select id, wallet_id, seq, entry_type, points, balance_after, reason, source_type, source_id,
         created_at
       from ledger_entries
       where wallet_id = :walletId ${before === null ? '' : 'and seq < :before'}
         ${sourceType === null ? '' : 'and source_type = :sourceType'}
       order by seq desc limit :limit
     ) e
     left join payments p on e.source_type = 'payment' and p.id = e.source_id
     left join redemptions r on e.source_type = 'redemption' and r.id = e.source_id
     order by e.seq desc`,
    { walletId, limit, before, sourceType },
  );
  return rows.map(listed);
}

function listed({ isSale, discountValueMinorUnits, currency, ...row }: Row): ListedEntry {
  const { amountMinorUnits, tipMinorUnits, refundedMinorUnits, provider, occurredAt, ...entry } =
    row;
  const sale = { amountMinorUnits, tipMinorUnits, refundedMinorUnits, provider, occurredAt };
  return {
    ...entry,
    sale: isSale ? { ...sale, currency } : null,
    discount: discountValueMinorUnits === null ? null : { discountValueMinorUnits, currency },
  };
}
