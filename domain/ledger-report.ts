import type { TenantId, WalletId } from './ids.ts';

export type LedgerViolation = {
  /** Null for a payment that names no wallet. */
  walletId: WalletId | null;
  /** Null for entries of a wallet that does not exist. */
  tenantId: TenantId | null;
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
  const wallet = walletId === null ? 'no wallet' : `wallet ${walletId}`;
  const tenant = tenantId === null ? 'no tenant' : `tenant ${tenantId}`;
  const entry = seq === null ? '' : `, entry ${seq}`;
  return `${wallet} of ${tenant}${entry}: ${problem}`;
}

/** The result of a verification: how much was compared, and the first problems in words. */
export type LedgerReport = VerificationCounts & { violations: number; first: string[] };
