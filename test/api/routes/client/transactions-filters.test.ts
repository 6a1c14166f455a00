import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentId, TenantId, UserId } from '../../../../domain/ids.ts';
import { aRule, aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import { aTill } from '../../../support/points/payments.ts';

let tenantId: TenantId;
let token: string;
let userId: UserId;
let number: string;
let sold: { anonymous: PaymentId; earlier: PaymentId; later: PaymentId };
const app = await useApp();
const { db } = app;
beforeEach(async () => {
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
  const pay = await aTill(db, tenantId);
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  number = `NUMBER ${randomUUID()}`;
  const anonymous = await pay({ id: number });
  const [later, earlier] = [await pay({ email }), await pay({ email })];
  await db('payments').where({ id: earlier }).update({ occurredAt: '2026-01-10T00:00:00Z' });
  sold = { anonymous, earlier, later };
});

const get = (query: string) =>
  app.call({ path: `/api/v1/client/tenants/${tenantId}/transactions${query}`, token });
const idsOf = async (query: string) =>
  (await get(query)).json<{ id: string }[]>().map(({ id }) => id);

describe('GET …/transactions with filters', () => {
  it('200 without one: those that were stored last come first', async () => {
    expect(await idsOf('')).toEqual([sold.earlier, sold.later, sold.anonymous]);
  });

  it('200 with payments of an outcome or a consumer, the last sale first', async () => {
    expect(await idsOf('?outcome=credited')).toEqual([sold.later, sold.earlier]);
    expect(await idsOf('?outcome=duplicate')).toEqual([]);
    expect(await idsOf(`?userId=${userId}`)).toEqual([sold.later, sold.earlier]);
    expect(await idsOf(`?userId=${randomUUID()}`)).toEqual([]);
  });

  it('200 with sales from a time on and before another, in any offset', async () => {
    expect(await idsOf('?from=2026-01-10T00:00:00Z&to=2026-01-15T00:00:00Z')).toEqual([
      sold.earlier,
    ]);
    expect(await idsOf('?to=2026-01-10T00:00:00Z')).toEqual([]);
    expect(await idsOf('?to=2026-01-10T00:00:00.001%2B01:00')).toEqual([]);
    expect(await idsOf('?to=2026-01-10T01:00:00.001%2B01:00')).toEqual([sold.earlier]);
  });

  it('200 with the payment that has the whole id of the provider', async () => {
    expect(await idsOf(`?q=${encodeURIComponent(number)}`)).toEqual([sold.anonymous]);
    expect(await idsOf(`?q=${encodeURIComponent(number.slice(0, -1))}`)).toEqual([]);
    expect(await idsOf(`?q=${encodeURIComponent(number)}&outcome=credited`)).toEqual([]);
  });

  it('200 page by page, with the filters in the link', async () => {
    const first = await get(`?userId=${userId}&limit=1`);
    const next = nextPath(first) ?? '';
    expect(next).toContain(`userId=${userId}`);
    const second = await app.call({ path: next, token });
    expect(second.body).toMatchObject([{ id: sold.earlier }]);
    expect(nextPath(second)).toBeUndefined();
  });

  it.each([
    ['outcome=refunded', 'invalid_value', 'outcome'],
    ['from=yesterday', 'invalid_format', 'from'],
    ['to=2026-01-01T00:00:00', 'invalid_format', 'to'],
    ['userId=me', 'invalid_format', 'userId'],
    ['q=', 'too_small', 'q'],
  ])('400 VALIDATION_ERROR for ?%s', async (query, code, path) => {
    const { status, body } = await get(`?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ code, path }] });
  });
});
