import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import {
  createAccountActivities,
  readAccount,
} from '../../../activities/connections/read-account.ts';
import { doWork } from '../../../activities/due-work/worker.ts';
import * as dueWork from '../../../db/due-work.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { ProviderError } from '../../../gateways/provider/error.ts';
import { activityDeps, anAlphaGateway } from '../../support/activity-deps.ts';
import { anAlphaConnection, aRule, aTenant, aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/payments.ts';

const database = await useDatabase();
const { db } = database;

let asked: string[];
beforeEach(async () => {
  asked = [];
  await db('pos_connections').update({ status: 'disconnected' });
  await db('due_work').delete();
  await db('tenants').update({ currencyUnsettled: false });
});

/** Alpha knows the account of every token but `away`, and no currency of `silent`. */
const deps = activityDeps(db, {
  alpha: {
    ...anAlphaGateway(),
    async findMerchant(accessToken) {
      asked.push(accessToken);
      if (accessToken === 'away') throw new ProviderError('alpha answered 503.', 503);
      return { name: 'Corner Café', currency: accessToken === 'silent' ? null : 'CHF' };
    },
  },
});
const settle = () => doWork(deps, readAccount(deps));
const { settleCurrencies } = createAccountActivities({ db });

/** A tenant whose account could not be read when it was connected. */
async function anOldTenant(accessToken: string): Promise<TenantId> {
  const tenantId = await aTenant(db);
  await db('tenants').where('id', tenantId).update({ currencyUnsettled: true });
  await anAlphaConnection(db, { tenantId, merchantId: randomUUID(), accessToken });
  const { id } = await connectionRow(tenantId);
  await dueWork.note(db, 'read_account', [id]);
  return tenantId;
}
const tenantRow = async (id: TenantId) => required(await db('tenants').where({ id }).first());
const connectionRow = async (tenantId: TenantId) =>
  required(await db('pos_connections').where({ tenantId }).first());

it('reads each account once: the name, and the currency of a tenant without one', async () => {
  const [unknown, known] = [await anOldTenant('token'), await anOldTenant('token')];
  await db('tenants').where('id', known).update({ currency: 'EUR' });
  expect(await settle()).toBeGreaterThanOrEqual(2);
  expect((await tenantRow(unknown)).currency).toBe('CHF');
  expect((await tenantRow(known)).currency).toBe('EUR');
  expect(await connectionRow(unknown)).toMatchObject({ accountName: 'Corner Café' });
  expect(asked).toHaveLength(2);
  expect(await settle()).toBe(0);
  expect(asked).toHaveLength(2);
});

it('asks an account that is away again in an hour, and the others now', async () => {
  const away = await anOldTenant('away');
  const other = await anOldTenant('token');
  expect(await settle()).toBe(1);
  expect((await tenantRow(other)).currency).toBe('CHF');
  expect(await settle()).toBe(0);
  expect(asked).toHaveLength(2);
  expect(await tenantRow(away)).toMatchObject({ currency: null, currencyUnsettled: true });
  await db('due_work').update({ dueAt: db.raw(`due_at - interval '1 hour'`) });
  await settle();
  expect(asked).toHaveLength(3);
});

it('takes the currency of most credited payments where no account is left to ask', async () => {
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const ring = await aTill(db, tenantId);
  const ids = [await ring({ email }), await ring({ email }), await ring({ email })];
  await db('payments').where('id', required(ids[0])).update({ currency: 'USD' });
  await db('pos_connections').where({ tenantId }).update({ status: 'disconnected' });
  expect((await tenantRow(tenantId)).currency).toBeNull();

  await db('tenants').where('id', tenantId).update({ currencyUnsettled: true });
  const none = await aTenant(db);
  await db('tenants').where('id', none).update({ currencyUnsettled: true });
  expect(await settleCurrencies()).toBe(2);
  expect((await tenantRow(tenantId)).currency).toBe('EUR');
  expect(await tenantRow(none)).toMatchObject({ currency: null, currencyUnsettled: false });
  expect(await settleCurrencies()).toBe(0);
});

it('looks at all tenants for their payments, page by page, and leaves unread ones', async () => {
  const unread = await anOldTenant('away');
  for (let nth = 0; nth < 51; nth++) await aTenant(db);
  await db('tenants').update({ currencyUnsettled: true });
  expect(await settleCurrencies()).toBeGreaterThan(50);
  expect(await db('tenants').where({ currencyUnsettled: true })).toMatchObject([{ id: unread }]);
});

it('settles a tenant at once whose account says no currency', async () => {
  const tenantId = await anOldTenant('silent');
  expect(await settle()).toBe(1);
  expect(await tenantRow(tenantId)).toMatchObject({ currency: null, currencyUnsettled: false });
});

it('reads on while time is left', async () => {
  for (let nth = 0; nth < 21; nth++) await anOldTenant('token');
  expect(await settle()).toBe(21);
});
