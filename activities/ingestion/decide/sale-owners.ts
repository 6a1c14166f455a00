import type { Db } from '../../../db/connection.ts';
import { findOwners } from '../../../db/connections/tenures.ts';
import type { PaymentReport } from './payment-report.ts';

/** The account that a report is from, and since when its sales earn at the tenant that has it. */
export type ReportingAccount = { merchantId: string; earnsFrom: Date | null };

/** A report and the account that it is from. */
export type AccountReport = { report: PaymentReport; account: ReportingAccount };

/**
 * Gives each report to the tenant that had the account when the sale was made, in the same order.
 * That is nearly always the tenant that reports it; only for older sales, such as one that is
 * refunded after its account has moved, former tenures are looked up. A sale that no tenure covers
 * stays with the tenant that reports it, and earns nothing.
 */
export async function withOwners(
  db: Db,
  items: readonly AccountReport[],
): Promise<PaymentReport[]> {
  const older = items.filter(({ report: { payment }, account: { earnsFrom } }) => {
    return earnsFrom === null || payment.occurredAt < earnsFrom;
  });
  if (older.length === 0) return items.map(({ report }) => report);
  const owners = await findOwners(
    db,
    older.map(({ report: { payment }, account: { merchantId } }) => {
      const { provider, occurredAt } = payment;
      return { provider, merchantId, occurredAt };
    }),
  );
  const owned = new Map(
    older.map(({ report }, nth) => {
      const owner = owners[nth] ?? { isBeforeConnection: true };
      return [report, { ...report, ...owner, reportedBy: report.tenantId }];
    }),
  );
  return items.map(({ report }) => owned.get(report) ?? report);
}
