import { expect, it } from 'vitest';
import { UserId } from '../../domain/ids.ts';
import { decideAttached } from '../../domain/ingestion.ts';

const bob = UserId.parse('00000000-0000-4000-8000-00000000000b');
const sale = {
  amountMinorUnits: 1001,
  tipMinorUnits: 150,
  refundedMinorUnits: 500,
  currency: 'EUR',
  occurredAt: new Date('2026-01-15T10:00:00Z'),
  email: null,
  phone: null,
};
const rule = {
  version: 3,
  conversionRate: '0.5',
  minSpendMinorUnits: 100,
  maxPointsPerTransaction: null,
  roundingPolicy: 'floor',
} as const;

it('an attached sale is credited to the member, less what was refunded, and says how', () => {
  const reversal = {
    outcome: 'refund_reversed',
    cause: 'refund',
    refundedMinorUnits: 500,
    target: 249,
    points: 249,
    owed: 0,
    writtenOff: 0,
  };
  const known = { memberId: bob, rule, currency: 'EUR', isSuspended: false };
  expect(decideAttached(sale, known, 'reverse')).toEqual({
    outcome: 'credited',
    reason: null,
    userId: bob,
    ruleVersion: 3,
    points: 500,
    reversal,
    record: {
      amountMinorUnits: 1001,
      tipMinorUnits: 150,
      currency: 'EUR',
      contacts: { email: false, phone: false },
      match: { by: 'member', conflict: false, late: true },
      rule,
      earning: { points: 500, exact: '500.5', rounded: 500, zeroReason: null },
      reversals: [reversal],
    },
  });
});
