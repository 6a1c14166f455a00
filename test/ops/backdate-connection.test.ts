import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as posConnections from '../../db/connections/pos-connections.ts';
import type { TenantId } from '../../domain/ids.ts';
import { anAlphaConnection, aTenant, required } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;

const TO = '2026-01-31T12:00:00.000Z';
const backdate = (id: string, { to = TO, env = {} }: { to?: string; env?: object } = {}) =>
  runOpsHere(['backdate-connection', id, '--to', to], { DATABASE_URL: database.url, ...env });

async function aConnection(merchantId = `M-${randomUUID()}`, given?: TenantId) {
  const tenantId = given ?? (await aTenant(db));
  await anAlphaConnection(db, { tenantId, merchantId, earnsFrom: 'connecting' });
  const { id } = required(await db('pos_connections').where({ tenantId }).first());
  const earnsFrom = async () =>
    required(await db('account_tenures').where({ tenantId, endedAt: null }).first()).earnsFrom;
  return { id, tenantId, merchantId, earnsFrom };
}

describe('backdate-connection', () => {
  it('has the tenure begin earlier, and never later', async () => {
    const { id, earnsFrom } = await aConnection();
    const out = `Sales since ${TO} earn there now.\n`;
    expect(await backdate(id)).toEqual({ status: 0, out, err: '' });
    expect(await earnsFrom()).toEqual(new Date(TO));
    expect(await backdate(id, { to: '2026-02-28T12:00:00Z' })).toMatchObject({ status: 0, out });
  });

  it('exits 1 where another tenant had the account then, and for no open connection', async () => {
    const first = await aConnection();
    await posConnections.disconnect(db, first.tenantId, first.id);
    const second = await aConnection(first.merchantId);
    const before = await second.earnsFrom();
    for (const id of [first.id, second.id, randomUUID()]) {
      const { status, err } = await backdate(id);
      expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining('not active') });
    }
    expect(await second.earnsFrom()).toEqual(before);
  });

  it('exits 1 outside of sandboxes, and 2 for a time to come', async () => {
    const { id } = await aConnection();
    const production = await backdate(id, { env: { ALPHA_ENVIRONMENT: 'production' } });
    expect(production.status).toBe(1);
    expect(production.err).toContain(
      'ALPHA_ENVIRONMENT is production, BETA_ENVIRONMENT is sandbox',
    );
    expect((await backdate(id, { to: '2999-01-01T00:00:00Z' })).status).toBe(2);
  });
});
