import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { nextPath } from '../../../support/http/app.ts';

const Versions = z.array(z.looseObject({ version: z.int(), active: z.boolean() }));
const SILVER = { key: 'silver', name: 'Silver', thresholdMinorUnits: 50_000, multiplier: 1.25 };
const app = await useApp();

let tenantId: TenantId;
let token: string;
let userId: string;
let path: string;
beforeEach(async () => {
  tenantId = await aTenant(app.db, { country: 'DE' });
  ({ token, userId } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/programme`;
});

const publish = (body: unknown, headers = {}) =>
  app.call({ method: 'POST', path, token, body, headers });
const list = (query = '') => app.call({ path: `${path}${query}`, token });
const shop = () => app.db('tenants').where('id', tenantId).first('timeZone', 'hasProgramme');

describe('POST /client/tenants/:tenantId/programme', () => {
  it('201 with every default; the shop then has a programme, and its time zone', async () => {
    expect(await shop()).toEqual({ timeZone: null, hasProgramme: false });
    const { status, body } = await publish({});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      active: true,
      timeZone: 'Europe/Berlin',
      validityMonths: null,
      expiryNoticeDays: 14,
      returnWindowDays: 0,
      tillAttach: false,
      tiers: [],
      publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await shop()).toEqual({ timeZone: 'Europe/Berlin', hasProgramme: true });
    expect((await list()).body).toEqual([body]);
  });

  it('201 with the next version, which says everything anew', async () => {
    await publish({ validityMonths: 12, returnWindowDays: 14, tillAttach: true });
    const { body } = await publish({ validityMonths: 24, timeZone: 'Europe/Berlin' });
    expect(body).toMatchObject({ version: 2, active: true, returnWindowDays: 0 });
    expect((await list()).body).toMatchObject([body, { version: 1, active: false }]);
  });

  it('201 with an entry that says who published what instead of what', async () => {
    await publish({ validityMonths: 12 });
    const tiers = [SILVER];
    const { body } = await publish({ returnWindowDays: 14, tillAttach: true, tiers });
    const terms = { timeZone: 'Europe/Berlin', expiryNoticeDays: 14 };
    const one = {
      version: 1,
      validityMonths: 12,
      returnWindowDays: 0,
      tillAttach: 'off',
      tiers: '',
    };
    const two = {
      version: 2,
      validityMonths: null,
      returnWindowDays: 14,
      tillAttach: 'on',
      tiers: 'Silver (silver) ≥ 50000: × 1.25',
    };
    expect(await app.db('audit_log').where({ tenantId }).orderBy('seq')).toMatchObject([
      { before: {}, after: { ...terms, ...one } },
      {
        action: 'programme.publish',
        actorUserId: userId,
        targetType: 'programme',
        targetId: Object(body).id,
        before: { ...terms, ...one },
        after: { ...terms, ...two },
      },
    ]);
  });

  it('201 once for the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await publish({ validityMonths: 12 }, key);
    expect(await publish({ validityMonths: 12 }, key)).toMatchObject({ body: first.body });
    expect((await list()).body).toHaveLength(1);
  });

  it('201 with its own version for each of ten at once, in the order of time', async () => {
    const months = Array.from({ length: 10 }, (_, index) => index + 1);
    const answers = await Promise.all(months.map((validityMonths) => publish({ validityMonths })));
    expect(answers.map(({ status }) => status)).toEqual(months.map(() => 201));
    const rows = await app.db('programme_versions').where({ tenantId }).orderBy('version');
    expect(rows.map(({ version }) => version)).toEqual(months);
    const times = rows.map(({ publishedAt }) => publishedAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('400 time_zone_required where the country has several times: nothing is taken', async () => {
    await app.db('tenants').where('id', tenantId).update({ country: 'BR' });
    const refused = await publish({ returnWindowDays: 14 });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', issues: [{ path: '', code: 'time_zone_required' }] },
    });
    expect(await shop()).toEqual({ timeZone: null, hasProgramme: false });
    expect((await publish({ timeZone: 'America/Sao_Paulo' })).status).toBe(201);
    expect(await publish({})).toMatchObject({ body: { timeZone: 'America/Sao_Paulo' } });
  });

  it('400 for a time zone that Node.js knows and the database does not', async () => {
    await app.db('tenants').where('id', tenantId).update({ country: null });
    expect(await publish({ timeZone: 'US/Pacific-New' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: expect.stringContaining('time zone') },
    });
    expect(await shop()).toEqual({ timeZone: null, hasProgramme: false });
  });

  it('400 time_zone_set for another time zone than the shop has', async () => {
    await publish({});
    const why = { path: '', code: 'time_zone_set', params: { timeZone: 'Europe/Berlin' } };
    expect(await publish({ timeZone: 'Europe/Busingen', validityMonths: 3 })).toMatchObject({
      status: 400,
      body: { issues: [why] },
    });
    expect((await list()).body).toHaveLength(1);
  });

  it.each([
    [{ timeZone: 'Asia/Tokyo' }, 'timeZone', 'invalid'],
    [{ timeZone: '+02:00' }, 'timeZone', 'invalid'],
    [{ returnWindowDays: 29, validityMonths: 2 }, 'returnWindowDays', 'invalid'],
    [{ returnWindowDays: 91 }, 'returnWindowDays', 'too_big'],
    [{ tillAttach: null }, 'tillAttach', 'wrong_type'],
    [{ tiers: {} }, 'tiers', 'wrong_type'],
    [{ tiers: [SILVER, { ...SILVER, key: 'gold' }] }, 'tiers.1.thresholdMinorUnits', 'invalid'],
  ])('400 for %j', async (body, field, code) => {
    const answer = await publish(body);
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: field, code }] } });
    expect((await list()).body).toEqual([]);
  });
});

describe('GET /client/tenants/:tenantId/programme', () => {
  it('200 page by page, newest first; only the highest version is active', async () => {
    for (const validityMonths of [1, 2, 3]) await publish({ validityMonths });
    const first = await list('?limit=2');
    expect(Versions.parse(first.body)).toMatchObject([
      { version: 3, active: true },
      { version: 2, active: false },
    ]);
    const second = await app.call({ path: nextPath(first) ?? '', token });
    expect(Versions.parse(second.body)).toMatchObject([{ version: 1, active: false }]);
    expect(nextPath(second)).toBeUndefined();
  });
});
