import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import * as tenantAdmin from '../../../db/tenants/admin.ts';
import { TenantId } from '../../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aUser,
  aWallet,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';
import { closeEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

describe('list', () => {
  it('lists the newest tenant first, with its consumer count and connections', async () => {
    const plain = await aTenant(db, { name: 'Plain' });
    const busy = await aTenant(db, { name: 'Busy', country: 'DE' });
    await anAlphaConnection(db, { tenantId: busy, merchantId: 'MERCHANT_1' });
    await aWallet(db, { tenantId: busy });
    await aWallet(db, { tenantId: busy });

    const [first, second] = await tenantAdmin.list(db, { limit: 2 });
    expect(first).toEqual({
      id: busy,
      name: 'Busy',
      status: 'active',
      country: 'DE',
      connections: [{ provider: 'alpha', status: 'active' }],
      consumerCount: 2,
      createdAt: expect.any(Date),
    });
    expect(second).toMatchObject({ id: plain, country: null, connections: [], consumerCount: 0 });
  });

  it('continues after a tenant, also among tenants of one moment', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => aTenant(db)));
    await db('tenants').whereIn('id', made).update({ createdAt: '2030-01-01T00:00:00.000001Z' });

    const seen: TenantId[] = [];
    for (let after: TenantId | undefined; seen.length < made.length; ) {
      const [next] = await tenantAdmin.list(db, { limit: 1, after });
      if (next === undefined) break;
      after = next.id;
      seen.push(next.id);
    }
    expect([...seen].sort()).toEqual([...made].sort());
  });

  it('is empty after a tenant that does not exist', async () => {
    const after = TenantId.parse(randomUUID());
    expect(await tenantAdmin.list(db, { limit: 10, after })).toEqual([]);
  });
});

describe('conditionOf', () => {
  it('returns only the owner of a tenant where nothing has happened', async () => {
    const ownerId = await aUser(db, { role: 'client', email: 'owner@example.com' });
    const tenantId = await aTenant(db, { ownerId });
    expect(await tenantAdmin.healthOf(db, tenantId)).toEqual({
      owner: { userId: ownerId, email: 'owner@example.com', status: 'active' },
      lastIngest: null,
      lastError: null,
    });
  });

  it('returns the first merchant, not an operator', async () => {
    const tenantId = await aTenant(db);
    const { owner } = await tenantAdmin.healthOf(db, tenantId);
    await db('memberships').insert([
      { tenantId, userId: await aUser(db), role: 'pos_operator', createdAt: '2020-01-01' },
      { tenantId, userId: await aUser(db), role: 'client' },
    ]);
    expect((await tenantAdmin.healthOf(db, tenantId)).owner).toEqual(owner);
  });

  it('returns the payment that was ingested last', async () => {
    const tenantId = await aTenant(db);
    const pay = await aTill(db, tenantId);
    await pay({});
    const transactionId = await pay({});
    expect((await tenantAdmin.healthOf(db, tenantId)).lastIngest).toEqual({
      transactionId,
      provider: 'alpha',
      outcome: 'stored_anonymous',
      at: expect.any(Date),
    });
  });

  it('returns the last error that still applies, of an event or a connection', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'MERCHANT_2' });
    const [id] = await storedEvents(db, 'MERCHANT_2', [anAlphaEvent('MERCHANT_2')]);
    const failures = [{ id: required(id), error: 'The payment cannot be read.' }];
    await webhookEvents.recordFailures(db, failures);
    const lastError = async () => (await tenantAdmin.healthOf(db, tenantId)).lastError;
    expect(await lastError()).toEqual({
      provider: 'alpha',
      message: 'The payment cannot be read.',
      at: expect.any(Date),
    });

    const later = { lastError: 'The token was refused.', updatedAt: '2030-01-01' };
    await db('pos_connections').where({ tenantId }).update(later);
    expect(await lastError()).toMatchObject({ message: 'The token was refused.' });

    await db('pos_connections').where({ tenantId }).update({ lastError: null });
    await closeEvents(db, [required(id)]);
    expect(await lastError()).toBeNull();
  });
});
