import { describe, expect, it } from 'vitest';
import { bodyOf, merchantOf, paymentsOf, saleAt, TENANTS } from '../../bench/sales.ts';
import { storedBody } from '../../db/events/stored-bodies.ts';
import { readAlphaEnvelope, readAlphaReport } from '../../gateways/providers/alpha/payloads.ts';

const plan = { name: 'plan', events: 1_000 };

describe('saleAt', () => {
  it('sales of every tenant, adjacent ones of different tenants', () => {
    const merchants = Array.from({ length: TENANTS }, (_, n) => saleAt(plan, n).merchantId);
    expect(new Set(merchants).size).toBe(TENANTS);
  });

  it('one merchant and many consumers when the buyers are of one tenant', () => {
    const merchants = Array.from({ length: 50 }, (_, n) =>
      saleAt({ ...plan, buyers: 'one-tenant' }, n),
    );
    expect(new Set(merchants.map((sale) => sale.merchantId))).toEqual(new Set([merchantOf(0)]));
    expect(new Set(merchants.map((sale) => sale.email)).size).toBe(50);
  });

  it('one consumer for a hot wallet, and an unconnected merchant for unknown buyers', () => {
    const hot = [0, 1, 2].map((n) => saleAt({ ...plan, buyers: 'hot' }, n).email);
    expect(new Set(hot).size).toBe(1);
    expect(saleAt({ ...plan, buyers: 'unknown' }, 5).merchantId).toBe('NOBODY');
  });
});

describe('paymentsOf', () => {
  it('every payment once', () => {
    expect(paymentsOf(plan).size).toBe(1_000);
  });

  it('a tenth fewer with duplicates, each equal to its original', () => {
    const withDuplicates = { ...plan, duplicates: true };
    expect(paymentsOf(withDuplicates).size).toBe(900);
    expect(saleAt(withDuplicates, 9)).toEqual(saleAt(withDuplicates, 2));
  });

  it('refunds: a quarter of the events refund half of a sale reported before', () => {
    const withRefunds = { ...plan, reports: 'refunds' } as const;
    const refunded = [...paymentsOf(withRefunds).values()].filter((sale) => sale.refunded);
    expect(refunded).toHaveLength(219);
    expect(paymentsOf(withRefunds).size).toBe(1_000 - refunded.length);
    const sale = saleAt(withRefunds, 3);
    expect(sale.refunded).toBeUndefined();
    expect(saleAt(withRefunds, 124)).toEqual({ ...sale, refunded: Math.floor(sale.amount / 2) });
  });

  it('pairs: each sale is approved first, and completed a hundred events later', () => {
    const pairs = { ...plan, reports: 'pairs' } as const;
    expect(paymentsOf(pairs).size).toBe(500);
    for (const index of [0, 99, 200, 899]) {
      const completed = saleAt(pairs, index + 100);
      expect(completed.isPending).toBeUndefined();
      expect(saleAt(pairs, index)).toEqual({ ...completed, isPending: true });
    }
  });
});

describe('bodyOf', () => {
  it('a body that the service reads as a settled payment', () => {
    const sale = saleAt(plan, 3);
    expect(readAlphaEnvelope(bodyOf(sale)).merchantId).toBe(sale.merchantId);
    expect(readAlphaReport(bodyOf(sale))).toMatchObject({
      kind: 'payment',
      payment: {
        providerPaymentId: sale.paymentId,
        amountMinorUnits: sale.amount,
        email: sale.email,
        state: 'settled',
      },
    });
  });

  it('a body that names its buyer by an id alone, as the provider does at a till', () => {
    const sale = saleAt({ ...plan, names: 'customer' }, 3);
    const report = readAlphaReport(bodyOf(sale));
    expect(report).toMatchObject({
      payment: { providerCustomerId: sale.customerId, email: null, amountMinorUnits: sale.amount },
    });
  });

  it('a whole body, as long as real ones are, also when stored, and read as the short one', () => {
    const whole = saleAt({ ...plan, isWhole: true }, 3);
    const bodies = [whole, saleAt({ ...plan, isWhole: true }, 4)].map(bodyOf);
    for (const body of bodies) {
      expect(Math.round(body.length / 100)).toBe(18);
      expect(Math.round(storedBody(body).body.length / 100)).toBe(6);
    }
    expect(readAlphaReport(bodyOf(whole))).toEqual(readAlphaReport(bodyOf(saleAt(plan, 3))));
  });

  it('a body of a pending payment, changed before it settles, and refunded after', () => {
    const sale = saleAt(plan, 3);
    const paymentOf = (reported: typeof sale) => {
      const report = readAlphaReport(bodyOf(reported));
      return report.kind === 'payment' ? report.payment : undefined;
    };
    const reports = [{ ...sale, isPending: true }, sale, { ...sale, refunded: 5 }].map(paymentOf);
    expect(reports.map((payment) => payment?.state)).toEqual(['pending', 'settled', 'settled']);
    expect(reports.map((payment) => payment?.refundedMinorUnits)).toEqual([0, 0, 5]);
    const times = reports.map((payment) => payment?.changedAt.getTime() ?? 0);
    expect(times).toEqual([...new Set(times)].sort());
  });
});
