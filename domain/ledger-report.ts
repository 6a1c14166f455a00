import type { TenantId, WalletId } from './ids.ts';

export type LedgerViolation = {
  walletId: WalletId;
  tenantId: TenantId;
  /** The first entry at fault; null when it is the snapshot, or an entry that is not there. */
  seq: number | null;
  problem: string;
};

/** How much was compared. */
export type VerificationCounts = {
  wallets: number;
  entries: number;
  payments: number;
  redemptions: number;
};

export const NOTHING_VERIFIED: VerificationCounts = {
  wallets: 0,
  entries: 0,
  payments: 0,
  redemptions: 0,
};

/** What two parts of an audit come to together. */
export function addVerified(
  one: VerificationCounts,
  other: VerificationCounts,
): VerificationCounts {
  return {
    wallets: one.wallets + other.wallets,
    entries: one.entries + other.entries,
    payments: one.payments + other.payments,
    redemptions: one.redemptions + other.redemptions,
  };
}

/** How much was compared, in words. */
export function describeVerified({
  wallets,
  entries,
  payments,
  redemptions,
}: VerificationCounts): string {
  return (
    `Checked ${entries} entries of ${wallets} wallets, ` +
    `${payments} payments and ${redemptions} redemptions.`
  );
}

/** Where the ledger does not add up, and how. Names no person. */
export function describeViolation({ walletId, tenantId, seq, problem }: LedgerViolation): string {
  const entry = seq === null ? '' : `, entry ${seq}`;
  return `wallet ${walletId} of tenant ${tenantId}${entry}: ${problem}`;
}

/** The end of an audit: how much was compared, and the first problems in words. */
export type LedgerReport = VerificationCounts & { violations: number; first: string[] };
