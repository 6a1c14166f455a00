import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../../../db/audit-log.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { aTenant, aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;

type Entry = { action: string; actorEmail: string | null; operator: string | null };

async function aMerchant() {
  const tenantId = await aTenant(db);
  const email = `${randomUUID()}@shop.example`;
  const { token, userId } = await app.signIn({ role: 'client', member: tenantId, email });
  const path = `/api/v1/client/tenants/${tenantId}/audit-logs`;
  const list = async (query = '') => (await app.call({ path: `${path}${query}`, token })).body;
  return { tenantId, token, userId, email, path, list };
}

const record = (
  tenantId: TenantId | null,
  by: auditLog.Acting,
  some: Partial<auditLog.NewAuditEntry> = {},
) =>
  db.transaction((tx) =>
    auditLog.insert(tx, {
      ...by,
      action: 'wallet.freeze',
      targetType: 'wallet',
      targetId: randomUUID(),
      tenantId,
      reason: null,
      before: {},
      after: {},
      ...some,
    }),
  );
const byUser = (id: UserId) => auditLog.byUser(id, 'request');

describe('GET /client/tenants/:tenantId/audit-logs', () => {
  it('200 with what was done in the shop, and in no other', async () => {
    const merchant = await aMerchant();
    const other = await aMerchant();
    await record(other.tenantId, byUser(other.userId));
    await record(null, byUser(merchant.userId));
    const changed = { path: `/api/v1/client/tenants/${merchant.tenantId}/onboarding` };
    const body = { businessName: 'Corner Café' };
    await app.call({ ...changed, method: 'PATCH', token: merchant.token, body });
    expect(await merchant.list()).toMatchObject([
      {
        action: 'tenant.update',
        actorUserId: merchant.userId,
        actorEmail: merchant.email,
        tenantId: merchant.tenantId,
        after: { name: 'Corner Café', businessName: 'Corner Café' },
      },
    ]);
  });

  it('200 with the e-mails of its own people, and of nobody else', async () => {
    const { tenantId, list, email: owner } = await aMerchant();
    const [left, admin, former] = await Promise.all([
      aUser(db, { email: 'left@shop.example' }),
      aUser(db, { role: 'admin', email: 'boss@staff.example' }),
      aUser(db, { role: 'admin', email: 'once@shop.example' }),
    ]);
    for (const userId of [left, former]) await db('operator_removals').insert({ tenantId, userId });
    const ownerId = (await db('users').where({ email: owner }).first('id')).id;
    for (const id of [ownerId, left, admin, former]) await record(tenantId, byUser(id));
    await record(tenantId, auditLog.byOps('root'));
    const entries = Array.from(Object(await list()), (entry: Entry) => [
      entry.actorEmail,
      entry.operator,
    ]);
    expect(entries).toEqual([
      [null, null],
      [null, null],
      [null, null],
      ['left@shop.example', null],
      [owner, null],
    ]);
  });

  it('200 with filters and pages, but no filter by actor', async () => {
    const { tenantId, token, userId, path, list } = await aMerchant();
    const targetId = randomUUID();
    await record(tenantId, byUser(userId), { targetId });
    await record(tenantId, byUser(userId), { action: 'wallet.unfreeze' });
    expect(await list(`?target=${targetId}`)).toMatchObject([{ targetId }]);
    expect(await list('?action=wallet.unfreeze')).toMatchObject([{ action: 'wallet.unfreeze' }]);
    expect(await list('?to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await list('?actor=x')).toHaveLength(2);
    const first = await app.call({ path: `${path}?limit=1`, token });
    expect(first.body).toMatchObject([{ action: 'wallet.unfreeze' }]);
    const next = await app.call({ path: nextPath(first) ?? '', token });
    expect(next.body).toMatchObject([{ targetId }]);
  });
});
