import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { readAccount } from '../../../activities/connections/read-account.ts';
import { doWork } from '../../../activities/due-work/worker.ts';
import * as dueWork from '../../../db/due-work.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { ProviderError } from '../../../gateways/providers/shared/error.ts';
import { anAlphaConnection, aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anAlphaGateway } from '../../support/providers/providers.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

let asked: string[];
beforeEach(async () => {
  asked = [];
  await db('pos_connections').update({ status: 'disconnected' });
  await db('due_work').delete();
});

/** Alpha knows the account of every token but `away`, and no currency of `silent`. */
const deps = activityDeps(db, {
  alpha: {
    ...anAlphaGateway(),
    async findMerchant(accessToken) {
      asked.push(accessToken);
      if (accessToken === 'away') throw new ProviderError('alpha answered 503.', 503);
      const isSilent = accessToken === 'silent';
      return {
        name: 'Corner Café',
        currency: isSilent ? null : 'CHF',
        country: isSilent ? null : 'CH',
      };
    },
  },
});
const settle = () => doWork(deps, readAccount(deps));

/** A tenant whose account could not be read when it was connected. */
async function aTenantUnread(accessToken: string): Promise<TenantId> {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: randomUUID(), accessToken });
  const { id } = await connectionRow(tenantId);
  await dueWork.note(db, 'read_account', [id]);
  return tenantId;
}
const tenantRow = async (id: TenantId) => required(await db('tenants').where({ id }).first());
const connectionRow = async (tenantId: TenantId) =>
  required(await db('pos_connections').where({ tenantId }).first());

it('reads each account once: the name, and the currency of a tenant without one', async () => {
  const [unknown, known] = [await aTenantUnread('token'), await aTenantUnread('token')];
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
  const away = await aTenantUnread('away');
  const other = await aTenantUnread('token');
  expect(await settle()).toBe(1);
  expect((await tenantRow(other)).currency).toBe('CHF');
  expect(await settle()).toBe(0);
  expect(asked).toHaveLength(2);
  expect(await tenantRow(away)).toMatchObject({ currency: null });
  await db('due_work').update({ dueAt: db.raw(`due_at - interval '1 hour'`) });
  await settle();
  expect(asked).toHaveLength(3);
});

it('reads one whose tokens were refused for a while once they are accepted again', async () => {
  const tenantId = await aTenantUnread('token');
  await db('pos_connections').where({ tenantId }).update({ needsReconnectSince: db.fn.now() });
  expect(await settle()).toBe(0);
  expect(asked).toHaveLength(0);
  await db('pos_connections').where({ tenantId }).update({ needsReconnectSince: null });
  await db('due_work').update({ dueAt: db.fn.now() });
  expect(await settle()).toBe(1);
  expect(await tenantRow(tenantId)).toMatchObject({ currency: 'CHF', country: 'CH' });
});

it('brings its country, as if the merchant had set it, to a tenant that has none', async () => {
  const [unknown, known] = [await aTenantUnread('token'), await aTenantUnread('token')];
  await db('tenants')
    .where('id', unknown)
    .update({ onboarding: { businessName: 'Café' } });
  await db('tenants').where('id', known).update({ country: 'DE' });
  await settle();
  expect(await tenantRow(unknown)).toMatchObject({
    country: 'CH',
    onboarding: { businessName: 'Café', country: 'CH' },
  });
  expect(await tenantRow(known)).toMatchObject({ country: 'DE', onboarding: {} });
});

it('leaves a tenant without a currency whose account says none', async () => {
  const tenantId = await aTenantUnread('silent');
  expect(await settle()).toBe(1);
  expect(await tenantRow(tenantId)).toMatchObject({ currency: null, country: null });
  expect(await settle()).toBe(0);
});

it('reads on while time is left', async () => {
  for (let nth = 0; nth < 21; nth++) await aTenantUnread('token');
  expect(await settle()).toBe(21);
});
