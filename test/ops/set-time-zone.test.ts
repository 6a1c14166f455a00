import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../domain/ids.ts';
import { aTenant } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;

const set = (tenantId: string, zone: string) =>
  runOpsHere(['set-time-zone', tenantId, zone], { DATABASE_URL: database.url });

async function aTenantIn(country: string | null): Promise<TenantId> {
  const tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ country });
  return tenantId;
}

const zoneOf = (tenantId: TenantId) => db('tenants').where({ id: tenantId }).first('timeZone');

describe('set-time-zone', () => {
  it('corrects the time zone, once in the audit log', async () => {
    const tenantId = await aTenantIn('DE');
    const out = 'The time zone is Europe/Busingen now; it was Europe/Berlin.\n';
    expect(await set(tenantId, 'Europe/Busingen')).toEqual({ status: 0, out, err: '' });
    expect((await set(tenantId, 'Europe/Busingen')).out).toBe(
      'The time zone is Europe/Busingen already.\n',
    );
    expect(await zoneOf(tenantId)).toEqual({ timeZone: 'Europe/Busingen' });
    expect(await db('audit_log').where({ tenantId })).toMatchObject([
      {
        actorUserId: null,
        action: 'tenant.set_time_zone',
        targetType: 'tenant',
        targetId: tenantId,
        before: { timeZone: 'Europe/Berlin' },
        after: { timeZone: 'Europe/Busingen' },
      },
    ]);
  });

  it.each([
    ['FR', 'Europe/Berlin', 'The time zones of FR are Europe/Paris.\n'],
    ['NP', 'Asia/Calcutta', 'The time zones of NP are Asia/Kathmandu.\n'],
    ['US', 'America/New_York', 'The tenant has no time zone to correct'],
    [null, 'UTC', 'The tenant has no time zone to correct'],
  ])('exits 1 in %s for %s', async (country, zone, says) => {
    const tenantId = await aTenantIn(country);
    const { status, err } = await set(tenantId, zone);
    expect({ status, err }).toEqual({ status: 1, err: expect.stringContaining(says) });
    expect(await zoneOf(tenantId)).toEqual({ timeZone: null });
    expect(await db('audit_log').where({ tenantId })).toEqual([]);
  });

  it('exits 1 for an unknown tenant, and 2 for what is no time zone', async () => {
    const { status, err } = await set(randomUUID(), 'Europe/Berlin');
    expect({ status, err }).toEqual({ status: 1, err: 'There is no such tenant.\n' });
    const wrong = await set(randomUUID(), 'CET');
    expect(wrong.status).toBe(2);
    expect(wrong.err).toContain('CET is not the name of a time zone');
  });
});
