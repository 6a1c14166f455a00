import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentId, TenantId } from '../../../../domain/ids.ts';
import { type AlphaPaymentOptions, aRule, aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { aTill } from '../../../support/points/payments.ts';

let tenantId: TenantId;
let token: string;
let pay: (payment: AlphaPaymentOptions) => Promise<PaymentId>;
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  pay = await aTill(db, tenantId);
});

const path = () => `/api/v1/client/tenants/${tenantId}/transactions`;
const get = (query = '', accept = 'text/csv') =>
  app.call({ path: `${path()}${query}`, token, headers: { accept } });

const HEAD =
  'id,provider,providerPaymentId,amountMinorUnits,currency,occurredAt,outcome,outcomeReason,' +
  'pointsAwarded,walletId,ruleVersion,createdAt,refundedMinorUnits,pointsReversed,pointsOwed,' +
  'locationId,' +
  'consumer.userId,consumer.email,consumer.phone';

/**
 * Stores sales of nobody, as ingestion stores them, a second apart. Each is so long that the
 * system cannot keep thousands of them for a caller that does not read: 4 MB on Linux.
 */
async function manyPayments(number: number): Promise<void> {
  await db.raw(
    `insert into payments (id, tenant_id, provider, provider_payment_id, amount_minor_units,
       tip_minor_units, refunded_minor_units, currency, occurred_at, changed_at,
       refunded_as_of, outcome, outcome_reason, points_awarded, decision, decision_facts,
       created_at, location_id)
     select gen_random_uuid(), :tenantId::uuid, 'alpha', 'many ' || n || ' ' || :tenantId, n, 0, 0,
       'EUR', now() + n * interval '1 second', now(), now(), 'stored_anonymous', 'no_contacts', 0,
       '{}', 256, now() + n * interval '1 second', repeat('L', 500)
     from generate_series(1, :number) n`,
    { tenantId, number },
  );
}

/** Asks for the CSV, and takes nothing of it. */
async function takenSlowly() {
  const headers = { accept: 'text/csv', authorization: `Bearer ${token}` };
  const asking = request(`${app.url}${path()}`, { headers });
  asking.on('error', () => undefined).end();
  const [response] = await once(asking, 'response');
  response.pause();
  return asking;
}

const linesOf = (body: unknown) => String(body).split('\r\n').slice(1, -1);

describe('GET …/transactions as CSV', () => {
  it('200 with the fields of the list as columns, and consumers masked', async () => {
    await aRule(db, tenantId);
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email, phone: '+4915112345678' });
    const sale = await pay({ id: `=1+1,"${tenantId}"`, amount: 1000, refunded: 100, email });
    const { status, headers, body } = await get();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"');
    const [listed] = (await get('', 'application/json')).json<Record<string, unknown>[]>();
    expect(Object.keys(listed ?? {})).toEqual([...HEAD.split(',').slice(0, 16), 'consumer']);
    expect(body).toBe(
      `${HEAD}\r\n${sale},alpha,"'=1+1,""${tenantId}""",1000,EUR,2026-01-15T10:00:00.086Z,` +
        `credited,,1000,${listed?.walletId},1,${listed?.createdAt},100,100,0,LOC_1,${userId},` +
        `${email[0]}***@example.com,***678\r\n`,
    );
  });

  it('200 with the whole selection, whatever limit and cursor say', async () => {
    await manyPayments(2_050);
    const all = linesOf((await get('?limit=1&cursor=nonsense')).body);
    expect(all).toHaveLength(2_050);
    const amounts = all.map((line) => Number(line.split(',')[3]));
    expect(amounts).toEqual(Array.from({ length: 2_050 }, (_, nth) => 2_050 - nth));
    const filtered = linesOf(
      (await get('?outcome=stored_anonymous&from=2026-01-01T00:00:00Z')).body,
    );
    expect(filtered).toEqual(all);
    expect(linesOf((await get(`?q=many%2017%20${tenantId}`)).body)).toHaveLength(1);
  });

  it('200 with the names of the columns when there is no payment', async () => {
    expect((await get()).body).toBe(`${HEAD}\r\n`);
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/json, text/csv;q=0.9', 'application/json'],
    ['text/html,*/*;q=0.8', 'application/json'],
    ['image/png', 'application/json'],
    ['text/csv, application/json;q=0.5', 'text/csv'],
    ['text/*', 'text/csv'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    const { status, headers } = await get('', accept);
    expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
  });

  it('400 VALIDATION_ERROR in JSON for a filter that is not valid', async () => {
    expect(await get('?outcome=unknown')).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ code: 'invalid_value', path: 'outcome' }] },
    });
  });

  it('keeps no statistics of other shops out while it is taken slowly', async () => {
    const slow = [];
    for (let nth = 0; nth < 2; nth++) {
      tenantId = await aTenant(db);
      token = (await app.signIn({ role: 'client', member: tenantId })).token;
      await manyPayments(20_000);
      slow.push(await takenSlowly());
    }
    const third = await aTenant(db);
    const merchant = await app.signIn({ role: 'client', member: third });
    const statistics = { path: `/api/v1/client/tenants/${third}/statistics` };
    expect((await app.call({ ...statistics, token: merchant.token })).status).toBe(200);
    expect((await get()).status).toBe(429);
    for (const each of slow) each.destroy();
    await expect.poll(async () => (await get('?limit=1')).status).toBe(200);
  });

  it('gives its place to others when the caller goes before the end', async () => {
    await manyPayments(20_000);
    const asking = await takenSlowly();
    expect((await get()).status).toBe(429);
    asking.destroy();
    await expect.poll(async () => (await get('?limit=1')).status).toBe(200);
    expect(app.reported).toEqual([]);
  });
});
