import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsedRedemptionSchema } from '../../../../api/resources/redemption.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { hearing, streamsOf } from '../../../support/http/streams.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';

const app = await useApp({ timing: { rereadEveryMs: 600_000 } });
const listener = await hearing(app);
afterAll(() => listener.close());
const streams = streamsOf(app);
afterEach(() => streams.closeAll());

let shop: TenantId;
let operator: SignedIn;
beforeEach(async () => {
  shop = await aTenant(app.db);
  operator = await app.signIn({ role: 'pos_operator', member: shop });
});

async function burnOneIn(tenantId: TenantId, by = operator): Promise<string> {
  const walletId = await aWallet(app.db, { tenantId, balance: 100 });
  const { id, code } = await aRedemption(app.db, { walletId });
  const answer = await app.call({
    method: 'POST',
    path: '/api/v1/pos/redemptions/complete',
    token: by.token,
    body: { code },
    headers: { 'x-tenant-id': tenantId },
  });
  expect(answer.status).toBe(200);
  return id;
}

describe('GET /pos/events', () => {
  it('tells every till of the shop of a code that was used, as its list does', async () => {
    const colleague = await app.signIn({ role: 'pos_operator', member: shop });
    const [one, two] = [
      await streams.open('/pos/events', operator.token),
      await streams.open('/pos/events', colleague.token),
    ];
    const id = await burnOneIn(shop);
    await Promise.all([one.until(1), two.until(1)]);
    expect(one.events).toEqual(two.events);
    const [{ event, data } = { event: '', data: {} }] = one.events;
    expect(event).toBe('redemption');
    expect(UsedRedemptionSchema.parse(data)).toMatchObject({
      id,
      points: 30,
      usedBy: { userId: operator.userId, email: expect.stringMatching(/^.\*+@staff\.example$/) },
    });
  });

  it('tells nothing of another shop', async () => {
    const elsewhere = await aTenant(app.db);
    const other = await app.signIn({ role: 'pos_operator', member: elsewhere });
    const stream = await streams.open('/pos/events', operator.token);
    await burnOneIn(elsewhere, other);
    const id = await burnOneIn(shop);
    await stream.until(1);
    expect(stream.events).toMatchObject([{ data: { id } }]);
  });

  it('tells of the shop that is named, to an operator of several', async () => {
    const second = await aTenant(app.db);
    const membership = { tenantId: second, userId: operator.userId, role: 'pos_operator' };
    await app.db('memberships').insert(membership);
    const unnamed = await app.call({ path: '/api/v1/pos/events', token: operator.token });
    expect(unnamed).toMatchObject({ status: 400, body: { issues: [{ code: 'shop_required' }] } });
    const headers = { 'x-tenant-id': second };
    const stream = await streams.open('/pos/events', operator.token, { headers });
    await burnOneIn(shop);
    const id = await burnOneIn(second);
    await stream.until(1);
    expect(stream.events).toMatchObject([{ data: { id } }]);
  });

  it('resumes with what was used meanwhile, and not with the id of another shop', async () => {
    const first = await streams.open('/pos/events', operator.token);
    await burnOneIn(shop);
    await first.until(1);
    await first.close();
    const missed = [await burnOneIn(shop), await burnOneIn(shop)];
    const lastEventId = first.lastId();
    const second = await streams.open('/pos/events', operator.token, { lastEventId });
    await second.until(2);
    expect(second.events.map(({ data }) => UsedRedemptionSchema.parse(data).id)).toEqual(missed);

    const elsewhere = await aTenant(app.db);
    const other = await app.signIn({ role: 'pos_operator', member: elsewhere });
    const third = await streams.open('/pos/events', other.token, { lastEventId });
    await third.until(1);
    expect(third.events).toMatchObject([{ event: 'reset' }]);
  });

  it('403 TENANT_FORBIDDEN for a shop that one does not work for', async () => {
    const answer = await app.call({
      path: '/api/v1/pos/events',
      token: operator.token,
      headers: { 'x-tenant-id': await aTenant(app.db) },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
  });
});
