import { describe, expect, it } from 'vitest';
import { recordAway } from '../../../db/connections/availability.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import * as tenantAdmin from '../../../db/tenants/admin.ts';
import type { ConnectionId } from '../../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aUser,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';
import { closeEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

describe('healthOf', () => {
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

  it('says of a provider that is away since when, and not when it was connected', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'MERCHANT_3' });
    const connection = db('pos_connections').where({ tenantId });
    await connection.clone().update({ updatedAt: '2020-01-01' });
    const { id } = await connection.clone().first<{ id: ConnectionId }>('id');
    const began = Date.now();
    await recordAway(db, id, { retryAfterMs: 0, error: 'It is away.', isProbe: false });
    const { lastError } = await tenantAdmin.healthOf(db, tenantId);
    expect(lastError).toMatchObject({ message: 'It is away.' });
    expect(Math.abs(Number(lastError?.at) - began)).toBeLessThan(60_000);
  });
});
