import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactRecord, rebuildRecord } from '../../domain/decision-record.ts';
import { CampaignId, UserId } from '../../domain/ids.ts';
import { decideAttached } from '../../domain/ingestion.ts';
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
            reversals: [...decision.record.reversals, ...later],
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
    expect([0, 1, 2, 4, 8, 16, 32, 128].map(read)).toEqual([
      nothing,
      { ...nothing, email: true },
      { ...nothing, phone: true },
      { ...nothing, by: 'email' },
      { ...nothing, by: 'phone' },
      { ...nothing, conflict: true },
      { ...nothing, late: true },
      { ...nothing, by: 'member' },
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

  it('keeps that a sale was made while its shop was suspended', () => {
    const { decision } = decideSale(
      { ...sale, refundedMinorUnits: 0, email: 'ada@example.com', phone: null },
      { userByEmail: null, userByPhone: null, currency: 'EUR', isSuspended: false },
      { rule: null, isLate: false },
    );
    const record = { ...decision.record, wasSuspended: true } as const;
    const compact = compactRecord(record);
    expect(compact.kept).toEqual({ wasSuspended: true });
    const rebuilt = rebuildRecord({ ...sale, rule: null, ...compact });
    expect(rebuilt).toEqual(record);
  });

  const terms = {
    version: 1,
    conversionRate: '1',
    minSpendMinorUnits: 0,
    maxPointsPerTransaction: null,
    roundingPolicy: 'floor',
  } as const;

  it('keeps what was given besides the rule’s points, also to an attached sale', () => {
    const double = CampaignId.parse('00000000-0000-4000-8000-00000000000c');
    const { record } = decideAttached(
      { ...sale, refundedMinorUnits: 0, occurredAt: new Date(0), email: null, phone: null },
      {
        memberId: UserId.parse('00000000-0000-4000-8000-00000000000a'),
        rule: terms,
        currency: 'EUR',
        isSuspended: false,
        offers: { tier: null, campaigns: [{ id: double, multiplier: 2, points: null }] },
      },
      'reverse',
    );
    const campaigns = [{ id: double, kind: 'multiplier', multiplier: 2, points: 1255 }];
    const awards = { base: 1255, campaigns };
    const compact = compactRecord(record);
    // The second calculation, by a member number, late.
    expect(compact).toEqual({ facts: 2 * 256 + 128 + 32, kept: { awards } });
    const stored = { ...sale, rule: terms, ...compact };
    expect(rebuildRecord(stored)).toEqual(record);
    const names = { [double]: 'Happy hour' };
    expect(rebuildRecord({ ...stored, names })).toEqual({ ...record, names });
    expect(rebuildRecord({ ...stored, names: null })).toEqual(record);
  });

  it('refuses a calculation that it does not know', () => {
    const later = { ...sale, rule: terms, facts: 100 * 256 + 4, kept: {} };
    expect(() => rebuildRecord(later)).toThrow('version 100, which this release does not know');
  });
});
