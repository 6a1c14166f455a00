import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import * as wallets from '../../../../db/ledger/wallets.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { createObjectStore } from '../../../../gateways/objects/create-store.ts';
import { aTenant, aUser, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { startApp } from '../../../support/http/app.ts';
import { startS3 } from '../../../support/http/s3.ts';

const MAX_BASE64 = 10 * 1024 * 1024;
const OBJECTS_URL = 'https://api.shop.example/objects';
let tenantId: TenantId;
let token: string;
/** The method of the store that fails. */
let failing: 'put' | 'delete' | undefined;
const dir = await mkdtemp(join(tmpdir(), 'loyalty-logos-'));
const files = createObjectStore({ url: pathToFileURL(dir).href });
const failOr = (method: 'put' | 'delete', work: () => Promise<void>) =>
  failing === method ? Promise.reject(new Error(`no ${method}`)) : work();
const app = await useApp({
  objects: {
    put: (name, object) => failOr('put', () => files.put(name, object)),
    delete: (name) => failOr('delete', () => files.delete(name)),
    get: files.get,
  },
});
const { db } = app;
afterAll(() => rm(dir, { recursive: true, force: true }));
beforeEach(async () => {
  failing = undefined;
  await rm(dir, { recursive: true, force: true });
  tenantId = await aTenant(db);
  token = (await app.signIn({ role: 'client', member: tenantId })).token;
});

const path = () => `/api/v1/client/tenants/${tenantId}/branding/logo`;
const upload = (body: unknown, by = token) =>
  app.call({ method: 'POST', path: path(), token: by, body });
const remove = () => app.call({ method: 'DELETE', path: path(), token });
const logoPath = async () => (await db('tenants').where({ id: tenantId }).first()).logoPath;
const stored = () => readdir(dir).catch(() => []);

const picture = (side = 8) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#08c' } });
const png = async (side?: number) => ({
  contentType: 'image/png',
  base64Data: (await picture(side).png().toBuffer()).toString('base64'),
});

describe('POST …/branding/logo', () => {
  it('200 with the address of the stored logo, which the tenant then shows', async () => {
    const { status, body } = await upload(await png());
    const name = await logoPath();
    expect(name).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect({ status, body }).toEqual({ status: 200, body: { logoUrl: `${OBJECTS_URL}/${name}` } });
    expect(await stored()).toEqual([name]);

    const overview = await app.call({ path: `/api/v1/client/tenants/${tenantId}`, token });
    expect(overview.body).toMatchObject({
      tenant: { branding: { logoUrl: `${OBJECTS_URL}/${name}` } },
    });
    const shown = await fetch(`${app.url}/objects/${name}`);
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 8 });
  });

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('200 for %s', async (format) => {
    const bytes = await picture().toFormat(format).toBuffer();
    const body = { contentType: `image/${format}`, base64Data: bytes.toString('base64') };
    expect(await upload(body)).toMatchObject({ status: 200 });
  });

  it('200 with a new name, and the previous logo is deleted', async () => {
    await upload(await png());
    const before = await logoPath();
    await upload(await png());
    expect(await logoPath()).not.toBe(before);
    expect(await stored()).toEqual([await logoPath()]);
  });

  it('200 for two at a time, 429 for more, and only the logo that is shown remains', async () => {
    const body = await png();
    const uploads = Array.from({ length: 6 }, () => upload(body));
    const removals = await Promise.all([remove(), remove()]);
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses).toContain(429);
    expect(removals.map(({ status }) => status)).toEqual([200, 200]);
    const last = await logoPath();
    expect(await stored()).toEqual(last === null ? [] : [last]);
  });

  it('200 even if the previous logo cannot be deleted, which is logged', async () => {
    await upload(await png());
    failing = 'delete';
    expect(await upload(await png())).toMatchObject({ status: 200 });
    expect(await stored()).toHaveLength(2);
    expect(app.log.some((line) => line.includes('was not deleted'))).toBe(true);
  });

  it('500 when the picture cannot be stored, and the tenant keeps its logo', async () => {
    await upload(await png());
    const before = await logoPath();
    failing = 'put';
    expect(await upload(await png())).toMatchObject({
      status: 500,
      body: { code: 'INTERNAL_ERROR' },
    });
    app.reported.length = 0;
    expect(await logoPath()).toBe(before);
    expect(await stored()).toEqual([before]);
  });

  it.each<[string, (good: { contentType: string; base64Data: string }) => unknown]>([
    ['an SVG', () => ({ contentType: 'image/svg+xml', base64Data: btoa('<svg/>') })],
    ['an SVG called PNG', (good) => ({ ...good, base64Data: btoa('<svg/>') })],
    ['the wrong type', (good) => ({ ...good, contentType: 'image/jpeg' })],
    ['a type in capitals', (good) => ({ ...good, contentType: 'IMAGE/PNG' })],
    ['no type', ({ base64Data }) => ({ base64Data })],
    ['no data', ({ contentType }) => ({ contentType })],
    ['empty data', (good) => ({ ...good, base64Data: '' })],
    ['data that is not text', (good) => ({ ...good, base64Data: 1 })],
    ['a data URL', (good) => ({ ...good, base64Data: `data:image/png;base64,${good.base64Data}` })],
    [
      'line breaks',
      (good) => ({ ...good, base64Data: good.base64Data.replace(/^.{4}/, '$&\r\n\r\n') }),
    ],
    ['spaces', (good) => ({ ...good, base64Data: good.base64Data.replace(/^.{4}/, '$&    ') })],
    ['the alphabet of base64url', (good) => ({ ...good, base64Data: '-_-_' })],
    ['padding alone', (good) => ({ ...good, base64Data: '====' })],
    ['padding in the middle', (good) => ({ ...good, base64Data: `QQ==${good.base64Data}` })],
    ['an impossible length', (good) => ({ ...good, base64Data: `${good.base64Data}A` })],
    ['half a picture', (good) => ({ ...good, base64Data: good.base64Data.slice(0, 60) })],
    ['an empty body', () => ({})],
  ])('400 VALIDATION_ERROR for %s, and nothing is stored', async (_, change) => {
    expect(await upload(change(await png()))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
    expect(await stored()).toEqual([]);
    expect(await logoPath()).toBeNull();
  });

  it('400 for text of the greatest length that is not a picture, and for longer text', async () => {
    const contentType = 'image/png';
    const full = await upload({ contentType, base64Data: 'A'.repeat(MAX_BASE64) });
    expect(full).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('not a complete picture of type image/png') },
    });
    const longer = await upload({ contentType, base64Data: 'A'.repeat(MAX_BASE64 + 4) });
    expect(longer).toMatchObject({ status: 400, body: { issues: [{ path: 'base64Data' }] } });
  });

  it('413 VALIDATION_ERROR for a body beyond its limit', async () => {
    const body = { contentType: 'image/png', base64Data: 'A'.repeat(MAX_BASE64 + 8 * 1024) };
    expect(await upload(body)).toMatchObject({ status: 413, body: { code: 'VALIDATION_ERROR' } });
  });

  it('403 for an operator of the tenant, and for a merchant of another tenant', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    expect(await upload(await png(), operator.token)).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_ROLE' },
    });
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect(await upload(await png(), other.token)).toMatchObject({
      status: 403,
      body: { code: 'TENANT_FORBIDDEN' },
    });
  });
});

describe('DELETE …/branding/logo', () => {
  it('200 and the logo is deleted; a repeat changes nothing', async () => {
    await upload(await png());
    for (let times = 0; times < 2; times++) {
      const { status, body } = await remove();
      expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
      expect(await logoPath()).toBeNull();
      expect(await stored()).toEqual([]);
    }
  });

  it('leaves an entry of each change, and none where nothing changes', async () => {
    await upload(await png());
    const logo = await logoPath();
    await remove();
    await remove();
    expect(await app.db('audit_log').where({ tenantId }).orderBy('seq')).toMatchObject([
      { action: 'logo.update', targetId: tenantId, before: { logo: null }, after: { logo } },
      { action: 'logo.delete', targetId: tenantId, before: { logo }, after: { logo: null } },
    ]);
  });
});

describe('PATCH …/branding', () => {
  const paint = (color: unknown, by = token) =>
    app.call({ method: 'PATCH', path: path().replace('/logo', ''), token: by, body: { color } });
  const colorOf = async () => (await db('tenants').where({ id: tenantId }).first()).color;

  it('200 with the color, which shop, wallets and tills show; null removes it', async () => {
    const userId = await aUser(db);
    const wallet = await aWallet(db, { tenantId, userId });
    expect(await paint('#7A1F3D')).toMatchObject({
      status: 200,
      body: { branding: { logoUrl: null, color: '#7a1f3d' } },
    });
    expect(await colorOf()).toBe('#7a1f3d');
    const overview = await app.call({ path: `/api/v1/client/tenants/${tenantId}`, token });
    expect(overview.body).toMatchObject({ tenant: { branding: { color: '#7a1f3d' } } });
    const [row] = await wallets.listOwned(db, [userId], [wallet]);
    expect(row).toMatchObject({ tenantColor: '#7a1f3d' });
    expect(await paint(null)).toMatchObject({ body: { branding: { color: null } } });
    expect(await colorOf()).toBeNull();
  });

  it.each(['red', '#7a1f3', '#7a1f3d00', 'url(x)', 7, undefined])('400 for %s', async (color) => {
    expect(await paint(color)).toMatchObject({ status: 400 });
    expect(await colorOf()).toBeNull();
  });

  it('403 for the merchant of another shop', async () => {
    const other = await app.signIn({ role: 'client', member: await aTenant(db) });
    expect(await paint('#7a1f3d', other.token)).toMatchObject({ status: 403 });
  });

  it('is recorded once for what changes something, also at the same moment', async () => {
    await Promise.all([paint('#112233'), paint('#112233'), paint('#112233')]);
    expect(await db('audit_log').where({ tenantId })).toMatchObject([
      { action: 'tenant.update', before: { color: null }, after: { color: '#112233' } },
    ]);
  });
});

it('stores and deletes logos in an S3 bucket as well', async () => {
  const s3 = await startS3('logos');
  const { endpoint, credentials } = s3;
  const url = `s3://logos?endpoint=${encodeURIComponent(endpoint)}&region=${credentials.region}`;
  const other = await startApp({
    objects: createObjectStore({ url, ...credentials }),
    settings: { objectsUrl: 'https://cdn.shop.example/logos' },
  });
  try {
    const id = await aTenant(other.db);
    const merchant = await other.signIn({ role: 'client', member: id });
    const request = { path: `/api/v1/client/tenants/${id}/branding/logo`, token: merchant.token };
    const { body } = await other.call({ ...request, method: 'POST', body: await png() });
    const { logoPath: name } = await other.db('tenants').where({ id }).first();
    expect(body).toEqual({ logoUrl: `https://cdn.shop.example/logos/${name}` });
    expect(s3.objects.get(`/logos/${name}`)).toMatchObject({ contentType: 'image/webp' });

    s3.outages.push(503, 503, 503);
    const refused = await other.call({ ...request, method: 'POST', body: await png() });
    expect(refused).toMatchObject({ status: 503, body: { code: 'INTERNAL_ERROR' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await other.db('tenants').where({ id }).first()).logoPath).toBe(name);
    expect(other.reported).toEqual([]);

    await other.call({ ...request, method: 'DELETE' });
    expect(s3.objects.size).toBe(0);
    expect(s3.refused).toEqual([]);
  } finally {
    await other.close();
    await s3.close();
  }
});
