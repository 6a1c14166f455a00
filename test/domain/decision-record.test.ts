import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactRecord, rebuildRecord } from '../../domain/decision-record.ts';
import { decideSale, people, reversals, rules, sales } from '../support/points/decisions.ts';

const rule = rules.map((terms) => ({
  ...terms,
  version: 3,
  conversionRate: terms.conversionRate.toFixed(6),
}));

describe('rebuildRecord', () => {
  it('returns every record as it was before it was made compact', () => {
    fc.assert(
      fc.property(
        sales,
        people,
        fc.option(rule),
        fc.boolean(),
        reversals,
        (sale, known, inEffect, isLate, later) => {
          const { decision } = decideSale(sale, known, { rule: inEffect, isLate });
          const record = {
            ...decision.record,
            reversals: [...(decision.record.reversals ?? []), ...later],
          };
          const { amountMinorUnits, tipMinorUnits, currency, rule: its } = record;
          const columns = { amountMinorUnits, tipMinorUnits, currency, rule: its };
          expect(rebuildRecord({ ...columns, ...compactRecord(record) })).toEqual(record);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  const sale = { amountMinorUnits: 1255, tipMinorUnits: 0, currency: 'EUR', rule: null };

  it('reads facts by their bits, which never change', () => {
    const read = (facts: number) => {
      const { contacts, match } = rebuildRecord({ ...sale, facts: 256 + facts, kept: {} });
      return { ...contacts, ...match };
    };
    const nothing = { email: false, phone: false, by: null, conflict: false, late: false };
    expect([0, 1, 2, 4, 8, 16, 32].map(read)).toEqual([
      nothing,
      { ...nothing, email: true },
      { ...nothing, phone: true },
      { ...nothing, by: 'email' },
      { ...nothing, by: 'phone' },
      { ...nothing, conflict: true },
      { ...nothing, late: true },
    ]);
  });

  it('keeps two bytes of a decision without a refund in the tenant’s own currency', () => {
    const { decision } = decideSale(
      { ...sale, refundedMinorUnits: 0, email: 'ada@example.com', phone: null },
      { userByEmail: null, userByPhone: null, currency: 'EUR', isSuspended: false },
      { rule: null, isLate: false },
    );
    expect(compactRecord(decision.record)).toEqual({ facts: 256 + 1, kept: {} });
  });

  it('refuses a calculation that it does not know', () => {
    const terms = {
      version: 1,
      conversionRate: '1',
      minSpendMinorUnits: 0,
      maxPointsPerTransaction: null,
      roundingPolicy: 'floor' as const,
    };
    const later = { ...sale, rule: terms, facts: 100 * 256 + 4, kept: {} };
    expect(() => rebuildRecord(later)).toThrow('version 100, which this release does not know');
  });
});
