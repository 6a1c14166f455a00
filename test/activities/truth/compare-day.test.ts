import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compareDay, type TruthDeps } from '../../../activities/truth/compare-day.ts';
import * as truthDays from '../../../db/connections/truth-days.ts';
import { anAlphaConnection } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { SILENT, type Silent, useSilentShop } from '../../support/providers/silent-shop.ts';

const { db } = await useDatabase();
const silent = useSilentShop(db);

type Options = Partial<TruthDeps> & { isAsked?: boolean; day?: string };

async function compare(
  provider: Silent,
  { isAsked = false, day = silent.day, ...deps }: Options = {},
) {
  return compareDay(
    silent.deps(deps),
    { connectionId: silent.shop.connectionIds[provider], day },
    { run: randomUUID(), signal: new AbortController().signal, heartbeat() {}, isAsked },
  );
}

async function stored(provider: Silent, day = silent.day) {
  const connectionId = silent.shop.connectionIds[provider];
  const [row] = await truthDays.listDays(db, connectionId, { from: day, to: day });
  return row;
}

describe.each(SILENT)('a day of %s', (provider) => {
  it('without sales agrees', async () => {
    const found = { status: 'agrees', missing: 0, changed: 0, unknown: 0, repaired: 0 };
    expect(await compare(provider)).toEqual(found);
    expect(await stored(provider)).toMatchObject({ ...found, provider: { count: 0 } });
  });

  it('with missed sales differs, and moves nothing, where repairs are off', async () => {
    silent.sell(provider, 500);
    silent.sell(provider, 700);
    expect(await compare(provider)).toMatchObject({ status: 'differs', missing: 2, repaired: 0 });
    expect(await stored(provider)).toMatchObject({
      status: 'differs',
      provider: { count: 2, amountMinorUnits: 1_200, refundedMinorUnits: 0 },
      ours: { count: 0, amountMinorUnits: 0, refundedMinorUnits: 0 },
    });
    expect(await silent.balance()).toBe(0);
  });

  it('is brought in when somebody asks, once, and agrees from then on', async () => {
    silent.sell(provider, 500);
    silent.sell(provider, 700);
    await compare(provider);
    const asked = { status: 'repaired', missing: 2, repaired: 2 };
    expect(await compare(provider, { isAsked: true })).toMatchObject(asked);
    expect(await silent.balance()).toBe(1_200);
    const day = { provider: { count: 2 }, ours: { count: 2, amountMinorUnits: 1_200 } };
    expect(await stored(provider)).toMatchObject({ ...asked, ...day });
    // It was lacking, whatever is found later.
    expect(await compare(provider, { isAsked: true })).toMatchObject({ status: 'agrees' });
    expect(await stored(provider)).toMatchObject({ ...asked, ...day });
    expect(await silent.balance()).toBe(1_200);
  });

  it('is brought in by the settings, two runs at once', async () => {
    silent.sell(provider, 500);
    const both = { truthRepairs: 'both' } as const;
    await Promise.all([compare(provider, both), compare(provider, both)]);
    expect(await silent.balance()).toBe(500);
    expect(await compare(provider, both)).toMatchObject({ status: 'agrees' });
  });

  it('with refunds that no webhook told is brought up to date', async () => {
    const id = silent.sell(provider, 500);
    await compare(provider, { truthRepairs: 'both' });
    silent.refund(provider, id, 200);
    expect(await compare(provider)).toMatchObject({ status: 'differs', changed: 1 });
    const repaired = await compare(provider, { truthRepairs: 'both' });
    expect(repaired).toMatchObject({ status: 'repaired', changed: 1, repaired: 1 });
    expect(await silent.balance()).toBe(300);
    expect(await stored(provider)).toMatchObject({
      missing: 1,
      changed: 1,
      provider: { refundedMinorUnits: 200 },
      ours: { refundedMinorUnits: 200 },
    });
  });

  it('with a sale that the provider does not know differs, and loses nothing', async () => {
    silent.sell(provider, 500);
    await compare(provider, { truthRepairs: 'both' });
    await db('payments')
      .where({ tenantId: silent.shop.tenantId })
      .update({ providerPaymentId: 'NOBODYS000001' });
    const found = { missing: 1, unknown: 1, repaired: 0, status: 'differs' };
    expect(await compare(provider)).toMatchObject(found);
    expect(await stored(provider)).toMatchObject({ ours: { count: 1, amountMinorUnits: 500 } });
    expect(await silent.balance()).toBe(500);
  });

  it('waits for a provider that is away, and is none before the connection', async () => {
    const { connectionIds, merchantIds } = silent.shop;
    silent.sell(provider, 500);
    await silent.simulators[provider].stop();
    expect(await compare(provider)).toEqual({ status: 'away' });
    expect(await stored(provider)).toBeUndefined();
    await db('account_tenures')
      .where({ merchantId: merchantIds[provider] })
      .update({ earnsFrom: db.fn.now() });
    expect(await compare(provider)).toEqual({ status: 'gone' });
    await db('pos_connections')
      .where({ id: connectionIds[provider] })
      .update({ status: 'disconnected' });
    expect(await compare(provider)).toEqual({ status: 'gone' });
  });
});

it('a day on which the shop changed its account differs by no sale of the former one', async () => {
  const { alpha } = silent.simulators;
  silent.now = new Date();
  silent.sell('alpha', 500);
  await compare('alpha', { truthRepairs: 'alpha' });
  expect(await silent.balance()).toBe(500);
  const { id: merchantId } = alpha.addMerchant({
    id: `M-${randomUUID()}`,
    name: 'Shop',
    currency: 'EUR',
  });
  const { accessToken } = alpha.issueToken(merchantId);
  const { tenantId } = silent.shop;
  await anAlphaConnection(db, { tenantId, merchantId, accessToken, earnsFrom: 'connecting' });
  expect(await compare('alpha')).toMatchObject({ status: 'agrees', unknown: 0 });
});

it('a void counts as refunded in full', async () => {
  const id = silent.sell('beta', 500);
  silent.simulators.beta.voidPayment(id);
  const repaired = await compare('beta', { truthRepairs: 'both' });
  expect(repaired).toMatchObject({ status: 'repaired', missing: 1, repaired: 1 });
  expect(await stored('beta')).toMatchObject({ ours: { count: 1, refundedMinorUnits: 500 } });
  expect(await silent.balance()).toBe(0);
});

it('a sale in another currency is compared, and not added up', async () => {
  await db('tenants').where({ id: silent.shop.tenantId }).update({ currency: 'USD' });
  silent.sell('beta', 500);
  expect(await compare('beta', { truthRepairs: 'both' })).toMatchObject({ status: 'repaired' });
  const totals = { count: 1, amountMinorUnits: 0 };
  expect(await stored('beta')).toMatchObject({ provider: totals, ours: totals });
});
