import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sumAdjusted } from '../../../../db/ledger/adjusted.ts';
import { UserId } from '../../../../domain/ids.ts';
import { aUser, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import {
  anImportingShop,
  type ImportingShop,
  runImports,
  type ShownImport,
} from '../../../support/points/imports.ts';

const app = await useApp();
const { db } = app;

let shop: ImportingShop;
let email: string;
let draft: ShownImport;
beforeEach(async () => {
  shop = await anImportingShop(app);
  email = `${randomUUID()}@example.com`;
  await aUser(db, { email, emailVerified: true });
  draft = (await shop.upload(`${email},,120`, `${randomUUID()}@example.com,,80`)).json();
});

const path = (verb: string) => `/api/v1/admin/imports/${draft.id}/${verb}`;
const refused = (code: string) => ({ issues: [{ code }] });
const entries = (action: string) =>
  db('audit_log').where({ action, tenantId: shop.tenantId }).orderBy('seq');

describe('GET /admin/imports', () => {
  it('lists those of all shops, and foresees what becomes of a draft', async () => {
    const { token } = await app.signIn({ role: 'admin' });
    const other = await anImportingShop(app);
    await other.upload(`${email},,1`);
    const listed = (await app.call({ path: '/api/v1/admin/imports', token })).json<unknown[]>();
    expect(listed.slice(0, 2)).toMatchObject([
      { tenantId: other.tenantId, matched: 1, waiting: 0 },
      { ...draft, tenantId: shop.tenantId, matched: 1, waiting: 1, repeated: 0 },
    ]);
  });
});

describe('POST /admin/imports/:importId/approve', () => {
  it('approves the sum that is repeated, once, beside the limit of a day', async () => {
    expect(await shop.approve(draft.id, 199)).toMatchObject({
      status: 422,
      body: { issues: [{ code: 'import_changed', params: { points: 200 } }] },
    });
    const running = { status: 'running', matched: 0, waiting: 0, tenantId: shop.tenantId };
    expect(await shop.approve(draft.id, 200)).toMatchObject({ status: 200, body: running });
    await runImports(db);
    expect(await shop.approve(draft.id, 200)).toMatchObject({
      status: 200,
      body: { status: 'done', matched: 1, waiting: 1 },
    });
    const approvals = await entries('import.approve');
    expect(approvals).toMatchObject([
      { targetType: 'import', targetId: draft.id, after: { points: 200, rows: 2 } },
    ]);
    const [adjustment] = await entries('wallet.adjust');
    const { actorUserId, requestId } = required(approvals[0]);
    expect(adjustment).toMatchObject({ actorUserId, requestId, after: { points: 120 } });
    const sums = await db.transaction((tx) => sumAdjusted(tx, UserId.parse(actorUserId)));
    expect(sums).toEqual({ credited: 0, debited: 0 });
  });

  it('is refused to whoever has to do with it', async () => {
    const approveAs = (token: string) =>
      app.call({ method: 'POST', path: path('approve'), token, body: { points: 200 } });
    const worked = await app.signIn({ role: 'admin' });
    await db('operator_removals').insert({ tenantId: shop.tenantId, userId: worked.userId });
    const named = await app.signIn({ role: 'admin' });
    await db('import_rows').where({ importId: draft.id, line: 2 }).update({ userId: named.userId });
    const owner = await app.signIn({ role: 'admin' });
    const address = required(await db('users').where({ id: owner.userId }).first()).email;
    const uploader = await app.signIn({ role: 'admin' });
    await db('imports').where({ id: draft.id }).update({ createdBy: uploader.userId });
    draft = (await shop.upload(`${address},,200`)).json();
    expect(await approveAs(owner.token)).toMatchObject({
      status: 403,
      body: refused('own_wallet'),
    });
    const first = await db('imports').where({ createdBy: uploader.userId }).first();
    draft = { ...draft, id: required(first).id };
    for (const { token } of [worked, named, uploader]) {
      expect(await approveAs(token)).toMatchObject({ status: 403, body: refused('own_wallet') });
    }
    expect((await approveAs(owner.token)).status).toBe(200);
  });

  it('422 for one that is withdrawn, and 403 while the shop is suspended', async () => {
    const now = db.fn.now();
    await db('tenants').where({ id: shop.tenantId }).update({ suspendedAt: now });
    expect(await shop.approve(draft.id, 200)).toMatchObject({
      status: 403,
      body: refused('tenant_suspended'),
    });
    await db('tenants').where({ id: shop.tenantId }).update({ suspendedAt: null });
    await shop.withdraw(draft.id);
    expect(await shop.approve(draft.id, 200)).toMatchObject({
      status: 422,
      body: { issues: [{ code: 'import_state', params: { status: 'withdrawn' } }] },
    });
  });
});

describe('POST /admin/imports/:importId/revert', () => {
  it('within 24 hours of the approval, once', async () => {
    expect(await shop.revert(draft.id)).toMatchObject({
      status: 422,
      body: refused('import_state'),
    });
    await shop.approve(draft.id, 200);
    expect(await shop.revert(draft.id)).toMatchObject({
      status: 422,
      body: refused('import_state'),
    });
    await runImports(db);
    const at = (hours: number) => db.raw(`now() - interval '${hours} hours'`);
    await db('imports')
      .where({ id: draft.id })
      .update({ approvedAt: at(25) });
    expect(await shop.revert(draft.id)).toMatchObject({
      status: 422,
      body: refused('import_state'),
    });
    await db('imports')
      .where({ id: draft.id })
      .update({ approvedAt: at(23) });
    for (let time = 0; time < 2; time++) {
      expect(await shop.revert(draft.id)).toMatchObject({ body: { status: 'reverting' } });
    }
    expect(await entries('import.revert')).toMatchObject([{ reason: 'The wrong file.' }]);
    await runImports(db);
    expect(await shop.revert(draft.id)).toMatchObject({ body: { status: 'reverted' } });
  });
});
