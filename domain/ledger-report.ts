import type { TenantId, WalletId } from './ids.ts';

export type LedgerViolation = {
  walletId: WalletId;
  tenantId: TenantId;
  /** The first wrong entry; null when the snapshot is wrong or an entry is missing. */
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

/** The sum of two parts of a verification. */
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

/** A violation in words: the wallet, and what is wrong. Names no person. */
export function describeViolation({ walletId, tenantId, seq, problem }: LedgerViolation): string {
  const entry = seq === null ? '' : `, entry ${seq}`;
  return `wallet ${walletId} of tenant ${tenantId}${entry}: ${problem}`;
}

/** The result of a verification: how much was compared, and the first problems in words. */
export type LedgerReport = VerificationCounts & { violations: number; first: string[] };
