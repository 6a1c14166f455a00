import { describe, expect, it } from 'vitest';
import { TenantId, WalletId } from '../../domain/ids.ts';
import {
  addVerified,
  describeVerified,
  describeViolation,
  NOTHING_VERIFIED,
} from '../../domain/ledger-report.ts';

const counts = { wallets: 1, entries: 2, payments: 3, redemptions: 4 };

describe('addVerified', () => {
  it('adds each count', () => {
    expect(addVerified(counts, NOTHING_VERIFIED)).toEqual(counts);
    expect(addVerified(counts, counts)).toEqual({
      wallets: 2,
      entries: 4,
      payments: 6,
      redemptions: 8,
    });
  });
});

describe('describeVerified', () => {
  it('names every count', () => {
    expect(describeVerified(counts)).toBe(
      'Checked 2 entries of 1 wallets, 3 payments and 4 redemptions.',
    );
  });
});

describe('describeViolation', () => {
  const walletId = WalletId.parse('2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c');
  const tenantId = TenantId.parse('9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42');

  it.each([
    { seq: 7, words: `wallet ${walletId} of tenant ${tenantId}, entry 7: broken` },
    { seq: null, words: `wallet ${walletId} of tenant ${tenantId}: broken` },
  ])('names the wallet and the entry $seq', ({ seq, words }) => {
    expect(describeViolation({ walletId, tenantId, seq, problem: 'broken' })).toBe(words);
  });
});
