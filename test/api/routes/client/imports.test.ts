import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aUser } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';
import {
  anImportingShop,
  csvOf,
  type ImportingShop,
  type ShownImport,
} from '../../../support/points/imports.ts';

const app = await useApp();
const { db } = app;

let shop: ImportingShop;
let token: string;
beforeEach(async () => {
  shop = await anImportingShop(app);
  ({ token } = await app.signIn({ role: 'client', member: shop.tenantId }));
});

const anAddress = () => `${randomUUID()}@example.com`;
const entriesOf = (targetId: string) => db('audit_log').where({ targetId }).orderBy('seq');

describe('POST /client/tenants/:tenantId/imports', () => {
  it('201 with what was read; of contacts only fingerprints are stored', async () => {
    const email = anAddress();
    await aUser(db, { email, emailVerified: true });
    const { status, body } = await shop.upload(`${email},,120`, ',015112345678,80', 'nobody,,5');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'draft',
      rows: 3,
      points: 200,
      invalid: [{ line: 4, code: 'invalid_format' }],
      matched: null,
      waiting: null,
      repeated: null,
      notTaken: 0,
      createdAt: expect.stringMatching(/Z$/),
      approvedAt: null,
    });
    const kept = JSON.stringify([await db('imports'), await db('import_rows'), app.log]);
    expect(kept).not.toContain(email);
    expect(kept).not.toContain('15112345678');
  });

  it('the same answer under the same key, and one audit entry, without a contact', async () => {
    const email = anAddress();
    const sent = {
      method: 'POST',
      path: shop.path,
      token,
      body: { csv: csvOf([`${email},,1`, 'nobody,,5']) },
      headers: { 'idempotency-key': randomUUID() },
    };
    const first = await app.call(sent);
    expect((await app.call(sent)).body).toEqual(first.body);
    expect(await db('imports').where({ tenantId: shop.tenantId })).toHaveLength(1);
    const entries = await db('audit_log').where({ tenantId: shop.tenantId });
    expect(entries).toMatchObject([
      {
        action: 'import.upload',
        actorUserId: expect.any(String),
        targetType: 'import',
        targetId: first.json<ShownImport>().id,
        before: {},
        after: { status: 'draft', points: 1, rows: 2 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  it('400 for what is no such file, or has nothing to take', async () => {
    const csvs = ['points\n1', csvOf(['nobody,,1']), csvOf(['"a,,1']), ''];
    for (const csv of csvs) {
      const answer = await app.call({ method: 'POST', path: shop.path, token, body: { csv } });
      expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: 'csv' }] } });
    }
  });

  it('a file of 1 MiB is read, and a larger one refused', async () => {
    const line = `${'a'.repeat(150)}@example.com,,1\r\n`;
    const post = (csv: string) =>
      app.call({ method: 'POST', path: shop.path, token, body: { csv } });
    const most = `${csvOf([])}\r\n${line.repeat(6_000)}`;
    expect(most.length).toBeGreaterThan(1_000_000);
    expect((await post(most)).status).toBe(201);
    const more = await post(most + ' '.repeat(1024 * 1024 + 1 - most.length));
    expect(more).toMatchObject({ status: 400, body: { issues: [{ code: 'too_big' }] } });
    expect((await post(' '.repeat(1_200_000))).status).toBe(413);
  });

  it('429 too_many_imports for the eleventh of a day', async () => {
    for (let nth = 0; nth < 10; nth++) {
      const { id } = (await shop.upload(`${anAddress()},,1`)).json<ShownImport>();
      if (nth % 2 === 0) await shop.withdraw(id);
    }
    expect(await shop.upload(`${anAddress()},,1`)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', issues: [{ code: 'too_many_imports' }] },
    });
  });
});

describe('GET /client/tenants/:tenantId/imports', () => {
  it('lists the newest first, page by page', async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 3; nth++) {
      ids.push((await shop.upload(`${anAddress()},,1`)).json<ShownImport>().id);
    }
    const page = await app.call({ path: `${shop.path}?limit=2`, token });
    const rest = await app.call({ path: nextPath(page) ?? '', token });
    const listed = [...page.json<ShownImport[]>(), ...rest.json<ShownImport[]>()];
    expect(listed.map(({ id }) => id)).toEqual(ids.reverse());
  });

  it('tells who is known only once it is approved', async () => {
    const email = anAddress();
    await aUser(db, { email, emailVerified: true });
    const { id } = (await shop.upload(`${email},,3`)).json<ShownImport>();
    expect(await shop.show(id)).toMatchObject({ matched: null, waiting: null, repeated: null });
    const other = await shop.bring(`${email},,3`, `${anAddress()},,3`);
    expect(await shop.show(other)).toMatchObject({ matched: 1, waiting: 1, repeated: 0 });
  });
});

describe('DELETE /client/tenants/:tenantId/imports/:importId', () => {
  it('withdraws a draft, with its rows, once; not what was approved', async () => {
    const { id } = (await shop.upload(`${anAddress()},,3`)).json<ShownImport>();
    for (let time = 0; time < 2; time++) {
      expect(await shop.withdraw(id)).toMatchObject({
        status: 200,
        body: { ok: true, status: 'withdrawn' },
      });
    }
    expect(await db('import_rows').where({ importId: id })).toEqual([]);
    const [, ...later] = await entriesOf(id);
    expect(later).toMatchObject([
      {
        action: 'import.withdraw',
        actorUserId: shop.merchantId,
        before: { status: 'draft' },
        after: { status: 'withdrawn', points: 3, rows: 1 },
      },
    ]);
    const approved = await shop.bring(`${anAddress()},,3`);
    expect(await shop.withdraw(approved)).toMatchObject({
      status: 422,
      body: { issues: [{ code: 'import_state', params: { status: 'done' } }] },
    });
    const actions = (await entriesOf(approved)).map(({ action }) => action);
    expect(actions).toEqual(['import.upload', 'import.approve']);
  });
});
