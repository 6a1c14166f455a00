import { describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { resolveCustomers } from '../../../../activities/ingestion/events/resolve-customers.ts';
import * as posConnections from '../../../../db/connections/pos-connections.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { createAlpha } from '../../../../gateways/providers/alpha/client.ts';
import { readAlphaReport } from '../../../../gateways/providers/alpha/payloads.ts';
import { anAlphaEvent, aRule, aUser, required, testPolicy } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { useAlphaShop } from '../../../support/providers/alpha-shop.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

const at = useAlphaShop(db);
const { aCustomer, asked, failAt } = at;

describe('resolveCustomers', () => {
  const connection = async () =>
    required((await posConnections.listActive(db, 'alpha', [at.shop.tenantId]))[0]);
  const resolve = async (payments: NormalizedPayment[]) => {
    const alpha = createAlpha({ environment: 'sandbox', origin: at.simulator.url });
    const { signal } = new AbortController();
    return resolveCustomers(activityDeps(db, { alpha }), await connection(), payments, signal);
  };
  const listed = (id: string, some: Partial<NormalizedPayment> = {}): NormalizedPayment => {
    const report = readAlphaReport(anAlphaEvent(at.shop.merchantId, { id }));
    if (report.kind !== 'payment') throw new Error('The event reports no payment.');
    return { ...report.payment, ...some };
  };

  it('adds contacts, and omits payments whose customer is temporarily unavailable', async () => {
    const [ada, bob] = [aCustomer('ada@example.com'), aCustomer('bob@example.com')];
    failAt(bob, 503);
    const eve = aCustomer('eve@example.com');
    failAt(eve, 400);
    const { payments, unresolved } = await resolve([
      listed('P1', { providerCustomerId: ada }),
      listed('P2', { providerCustomerId: bob }),
      listed('P3'),
      listed('P4', { providerCustomerId: ada, email: 'own@example.com' }),
      listed('P5', { providerCustomerId: eve }),
    ]);
    expect(payments.map(({ providerPaymentId, email }) => [providerPaymentId, email])).toEqual([
      ['P1', 'ada@example.com'],
      ['P3', null],
      ['P4', 'own@example.com'],
      ['P5', null],
    ]);
    expect(unresolved.map(({ providerPaymentId }) => providerPaymentId)).toEqual(['P2']);
    expect(asked().filter((url) => url.includes(ada))).toHaveLength(1);
  });

  it('asks no more once alpha limits the rate, and says for how long', async () => {
    at.simulator.fail({
      path: '/v2/customers',
      status: 429,
      code: 'RATE_LIMITED',
      times: 100,
      retryAfterSeconds: 9,
    });
    const named = Array.from({ length: 20 }, (_, n) =>
      listed(`P${n}`, { providerCustomerId: aCustomer(`${n}@example.com`) }),
    );
    const { payments, unresolved, cause } = await resolve([...named, listed('P')]);
    expect([payments.length, unresolved.length]).toEqual([1, 20]);
    expect(cause).toMatchObject({ status: 429, retryAfterMs: 9_000 });
    expect(asked().length).toBeLessThanOrEqual(4);
  });

  it('sends no request when the payment has its consumer', async () => {
    await aRule(db, at.shop.tenantId);
    await aUser(db, { email: 'known@example.com' });
    const payment = listed('P1', { email: 'known@example.com' });
    await ingestListedPayments(db, [{ ...at.shop, payment }], testPolicy);
    await resolve([listed('P1', { providerCustomerId: aCustomer('ada@example.com') })]);
    expect(asked()).toEqual([]);
  });
});
