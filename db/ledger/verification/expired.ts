import { overAbsorbed } from '../../../domain/expiry.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { type Month, monthText } from '../../../domain/intervals.ts';
import type { LedgerViolation } from '../../../domain/ledger-report.ts';
import { appliesProgrammes, type Db } from '../../connection.ts';
import { readExpired } from '../expired.ts';
import { monthIn, readCalendars, readDue } from '../expiring.ts';
import type { Findings } from './statements.ts';
import type { Selection } from './wallet-statements.ts';

type Taken = { tenantId: TenantId; month: string; walletIds: WalletId[] };

/**
 * Compares what has expired of wallets with what was due: the newest month that has ended and was
 * taken left nothing that it should have taken, and refunds have absorbed no more than has expired.
 * Wallets of shops of which no month was taken cost one look-up.
 */
export async function verifyExpired(db: Db, selection: Selection): Promise<Findings> {
  const chosen =
    'after' in selection ? 'w.id > :after and w.id <= :until' : 'w.id = any(:ids::uuid[])';
  const { rows } = await db.raw<{ rows: Taken[] }>(
    `select its.tenant_id, newest.month::text, its.wallet_ids
     from (
       select w.tenant_id, array_agg(w.id)::text[] as wallet_ids from wallets w
       where ${chosen} group by w.tenant_id
     ) its
     cross join lateral (
       select month from expiry_runs
       where tenant_id = its.tenant_id and finished_at is not null and skipped is null
       order by month desc limit 1
     ) newest`,
    { ...selection },
  );
  const violations: LedgerViolation[] = [];
  const calendars = await readCalendars(
    db,
    rows.map(({ tenantId }) => tenantId),
  );
  for (const { tenantId, month: text, walletIds } of rows) {
    const calendar = calendars.get(tenantId);
    if (calendar === undefined) continue;
    const found = (walletId: WalletId, problem: string) =>
      violations.push({ walletId, tenantId, seq: null, problem });
    const month = monthIn(text);
    const now = calendar.monthOf(new Date());
    // What is switched off is not taken of what comes back; the next run takes it.
    if (month < now && appliesProgrammes(db)) {
      const due = await readDue(db, { tenantId, calendar, month, now }, walletIds);
      for (const { walletId, points } of due) found(walletId, leftDue(points, month));
    }
    for (const [walletId, expiry] of await readExpired(db, walletIds)) {
      const over = overAbsorbed(expiry);
      if (over !== undefined) found(walletId, absorbedTooMuch(over));
    }
  }
  return { violations, rowIds: violations.flatMap(({ walletId }) => walletId ?? []) };
}

function leftDue(points: number, month: Month): string {
  return `holds ${points} points that were due by the end of ${monthText(month)}`;
}

function absorbedTooMuch(month: Month): string {
  return `has absorbed more than has expired since ${monthText(month)}`;
}
