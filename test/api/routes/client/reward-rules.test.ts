import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeCursor } from '../../../../api/http/replies/pagination.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aRule, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Answer, nextPath } from '../../../support/http/app.ts';

const MAX_INTEGER = 2 ** 31 - 1;
const Rules = z.array(z.looseObject({ version: z.number(), active: z.boolean() }));
const app = await useApp();

let tenantId: TenantId;
let token: string;
let userId: string;
let path: string;
beforeEach(async () => {
  tenantId = await aTenant(app.db);
  ({ token, userId } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/reward-rules`;
});

const publish = (body: unknown) => app.call({ method: 'POST', path, token, body });
const get = (address: string) => app.call({ path: address, token });
const list = (query = '') => get(`${path}${query}`);
const versions = (answer: Answer) => Rules.parse(answer.body).map(({ version }) => version);
const activeOnes = (answer: Answer) =>
  Rules.parse(answer.body)
    .filter(({ active }) => active)
    .map(({ version }) => version);

describe('POST /client/tenants/:tenantId/reward-rules', () => {
  it('201 with the rule and its defaults, in effect from now on', async () => {
    const before = Date.now();
    const { status, body } = await publish({ conversionRate: 0.1 });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      active: true,
      status: 'in_effect',
      ruleConfig: {
        conversionRate: 0.1,
        minSpendMinorUnits: 0,
        maxPointsPerTransaction: null,
        minBalanceToRedeem: 0,
        maxRedemptionPercentage: 100,
        roundingPolicy: 'floor',
        effectiveFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      createdBy: { userId, email: expect.stringContaining('@') },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const { ruleConfig, createdAt } = Object(body);
    expect(ruleConfig.effectiveFrom).toBe(createdAt);
    expect(Date.parse(createdAt)).toBeGreaterThan(before - 60_000);
  });

  it('201 with every field as it was sent', async () => {
    const rule = {
      conversionRate: 1.234567,
      minSpendMinorUnits: 500,
      maxPointsPerTransaction: 0,
      minBalanceToRedeem: 100,
      maxRedemptionPercentage: 33.333333,
      roundingPolicy: 'ceil',
      effectiveFrom: '2026-01-15T12:00:00+02:00',
    };
    const { status, body } = await publish(rule);
    expect(status).toBe(201);
    const ruleConfig = { ...rule, effectiveFrom: '2026-01-15T10:00:00.000Z' };
    expect(body).toMatchObject({ version: 1, active: true, ruleConfig });
    expect((await list()).body).toEqual([body]);
  });

  it('201 with an entry that says who changed the rule, from what to what', async () => {
    await publish({ conversionRate: 0.1 });
    const { body } = await publish({ conversionRate: 1_000_000, maxPointsPerTransaction: 7 });
    const entries = await app.db('audit_log').where({ tenantId }).orderBy('seq');
    expect(entries).toMatchObject([
      { before: {}, after: { version: 1, conversionRate: 0.1 } },
      {
        action: 'rule.publish',
        actorUserId: userId,
        targetType: 'rule',
        targetId: Object(body).id,
        before: { version: 1, conversionRate: 0.1, maxPointsPerTransaction: null },
        after: { version: 2, conversionRate: 1_000_000, maxPointsPerTransaction: 7 },
      },
    ]);
  });

  it('400 that names a mistyped cap, which could not be added later', async () => {
    const typed = { conversionRate: 0.1, maxPointPerTransaction: 10, minimumSpend: 500 };
    const { status, body } = await publish(typed);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        issues: [
          { path: 'maxPointPerTransaction', code: 'unknown_field' },
          { path: 'minimumSpend', code: 'unknown_field' },
        ],
      },
    });
    expect((await list()).body).toEqual([]);
  });

  it('201 with the next version, which becomes the active one', async () => {
    for (const version of [1, 2, 3]) {
      expect((await publish({ conversionRate: version })).body).toMatchObject({ version });
    }
    const answer = await list();
    expect(versions(answer)).toEqual([3, 2, 1]);
    expect(activeOnes(answer)).toEqual([3]);
  });

  it('201 for a rule with a future date, shown as the active one', async () => {
    await publish({ conversionRate: 1 });
    const effectiveFrom = '2999-01-01T00:00:00.000Z';
    await publish({ conversionRate: 2, effectiveFrom });
    const answer = await list();
    expect(activeOnes(answer)).toEqual([2]);
    expect(Rules.parse(answer.body)[0]).toMatchObject({ ruleConfig: { effectiveFrom } });
  });

  it('200 with the rule that governs, those that will, and those that never will', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const statuses = async () => {
      const rules = z.array(z.looseObject({ version: z.int(), status: z.string() }));
      return Object.fromEntries(
        rules.parse((await list()).body).map(({ version, status }) => [version, status]),
      );
    };
    const first = await publish({ conversionRate: 1 });
    expect(first.body).toMatchObject({ active: true, status: 'in_effect' });
    const later = await publish({ conversionRate: 2, effectiveFrom: inDays(2) });
    expect(later.body).toMatchObject({ active: true, status: 'scheduled' });
    expect(await statuses()).toEqual({ 1: 'in_effect', 2: 'scheduled' });
    expect(activeOnes(await list())).toEqual([2]);

    await publish({ conversionRate: 3, effectiveFrom: inDays(9) });
    expect(await statuses()).toEqual({ 1: 'in_effect', 2: 'scheduled', 3: 'scheduled' });
    // On the day of version 3, version 4 governs already, and is the higher one.
    await publish({ conversionRate: 4, effectiveFrom: inDays(5) });
    expect(await statuses()).toMatchObject({ 2: 'scheduled', 3: 'superseded', 4: 'scheduled' });
    await publish({ conversionRate: 5, effectiveFrom: inDays(-9) });
    const over = 'superseded';
    expect(await statuses()).toEqual({ 1: over, 2: over, 3: over, 4: over, 5: 'in_effect' });
    // A page that does not hold the higher versions says the same.
    const second = await get(nextPath(await list('?limit=2')) ?? '');
    expect(second.body).toMatchObject([
      { version: 3, active: false, status: over },
      { version: 2 },
    ]);
  });

  it('201 with its own version for each of 20 at once', async () => {
    const rates = Array.from({ length: 20 }, (_, index) => index + 1);
    const answers = await Promise.all(rates.map((conversionRate) => publish({ conversionRate })));
    expect(answers.map(({ status }) => status)).toEqual(rates.map(() => 201));
    const published = answers.map((each) => each.json<{ version: number }>().version);
    expect(published.toSorted((one: number, other: number) => one - other)).toEqual(rates);
    expect(activeOnes(await list())).toEqual([20]);
  });

  it.each([
    { conversionRate: 0.000001 },
    { conversionRate: 1_000_000 },
    { conversionRate: 1, minSpendMinorUnits: MAX_INTEGER },
    { conversionRate: 1, maxPointsPerTransaction: MAX_INTEGER },
    { conversionRate: 1, maxPointsPerTransaction: null },
    { conversionRate: 1, minBalanceToRedeem: MAX_INTEGER },
    { conversionRate: 1, maxRedemptionPercentage: 0.000001 },
    { conversionRate: 1, roundingPolicy: 'round' },
    { conversionRate: 1, effectiveFrom: '9999-12-31T23:59:59.999Z' },
    { conversionRate: 1, effectiveFrom: '1000-01-01T00:00:00.000Z' },
  ])('201 at the bound: %j', async (rule) => {
    const { status, body } = await publish(rule);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ruleConfig: rule });
  });

  it.each<[path: string, body: string]>([
    ['conversionRate', '{}'],
    ['conversionRate', '{"conversionRate":0}'],
    ['conversionRate', '{"conversionRate":-1}'],
    ['conversionRate', '{"conversionRate":1000000.000001}'],
    ['conversionRate', '{"conversionRate":0.0000001}'],
    ['conversionRate', '{"conversionRate":1e999}'],
    ['conversionRate', '{"conversionRate":"1"}'],
    ['minSpendMinorUnits', '{"conversionRate":1,"minSpendMinorUnits":-1}'],
    ['minSpendMinorUnits', '{"conversionRate":1,"minSpendMinorUnits":1.5}'],
    ['minSpendMinorUnits', '{"conversionRate":1,"minSpendMinorUnits":2147483648}'],
    ['minSpendMinorUnits', '{"conversionRate":1,"minSpendMinorUnits":null}'],
    ['maxPointsPerTransaction', '{"conversionRate":1,"maxPointsPerTransaction":-1}'],
    ['maxPointsPerTransaction', '{"conversionRate":1,"maxPointsPerTransaction":2147483648}'],
    ['minBalanceToRedeem', '{"conversionRate":1,"minBalanceToRedeem":-1}'],
    ['minBalanceToRedeem', '{"conversionRate":1,"minBalanceToRedeem":2147483648}'],
    ['maxRedemptionPercentage', '{"conversionRate":1,"maxRedemptionPercentage":0}'],
    ['maxRedemptionPercentage', '{"conversionRate":1,"maxRedemptionPercentage":100.000001}'],
    ['roundingPolicy', '{"conversionRate":1,"roundingPolicy":"up"}'],
    ['effectiveFrom', '{"conversionRate":1,"effectiveFrom":"tomorrow"}'],
    ['effectiveFrom', '{"conversionRate":1,"effectiveFrom":"2026-02-30T00:00:00Z"}'],
    ['effectiveFrom', '{"conversionRate":1,"effectiveFrom":"2026-01-15T10:00:00"}'],
    ['effectiveFrom', '{"conversionRate":1,"effectiveFrom":"0000-01-01T00:00:00Z"}'],
    ['effectiveFrom', '{"conversionRate":1,"effectiveFrom":"9999-12-31T23:59:59-14:00"}'],
  ])('400 VALIDATION_ERROR that names %s: %s', async (field, body) => {
    const { status, body: envelope } = await publish(body);
    expect(status).toBe(400);
    expect(envelope).toMatchObject({ code: 'VALIDATION_ERROR' });
    const paths: string[] = Object(envelope).issues.map(({ path }: { path: string }) => path);
    expect(new Set(paths)).toEqual(new Set([field]));
    expect((await list()).body).toEqual([]);
  });

  it.each([
    '{"conversionRate":1,"__proto__":{"minSpendMinorUnits":5}}',
    '{"conversionRate":1,"constructor":{"prototype":{}}}',
    '{"conversionRate":1,"prototype":1}',
    '{"conversionRate":1,"note":[{"__proto__":1}]}',
    '[]',
    'null',
    '{"conversionRate":1',
  ])('400 VALIDATION_ERROR for %s', async (body) => {
    const answer = await publish(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await list()).body).toEqual([]);
  });

  it('403 TENANT_FORBIDDEN for another tenant’s merchant, and nothing is published', async () => {
    const member = await aTenant(app.db);
    const stranger = await app.signIn({ role: 'client', member });
    const body = { conversionRate: 1 };
    for (const method of ['POST', 'GET'] as const) {
      const answer = await app.call({
        method,
        path,
        token: stranger.token,
        ...(method === 'POST' && { body }),
      });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
    }
    expect((await list()).body).toEqual([]);
  });
});

describe('GET /client/tenants/:tenantId/reward-rules', () => {
  it('200 page by page; only the highest version is active, also on later pages', async () => {
    for (let rate = 1; rate <= 5; rate++) await aRule(app.db, tenantId, { conversionRate: rate });
    const first = await list('?limit=2');
    expect([versions(first), activeOnes(first)]).toEqual([[5, 4], [5]]);

    await aRule(app.db, tenantId, { conversionRate: 6 });
    const second = await get(nextPath(first) ?? '');
    expect([versions(second), activeOnes(second)]).toEqual([[3, 2], []]);
    const last = await get(nextPath(second) ?? '');
    expect([versions(last), activeOnes(last)]).toEqual([[1], []]);
    expect(nextPath(last)).toBeUndefined();
  });

  it('200 with 50 rules by default, and none of another tenant', async () => {
    await aRule(app.db, await aTenant(app.db));
    for (let rate = 1; rate <= 51; rate++) await aRule(app.db, tenantId, { conversionRate: rate });
    expect(versions(await list())).toHaveLength(50);
    expect(versions(await list('?limit=1000'))).toHaveLength(51);
  });

  it('400 VALIDATION_ERROR for a cursor with a number too large for Postgres', async () => {
    await aRule(app.db, tenantId);
    await aRule(app.db, tenantId);
    const next = new URLSearchParams(nextPath(await list('?limit=1'))?.split('?')[1]);
    const position = Buffer.from(next.get('cursor') ?? '', 'base64url').toString();
    const forged = position.replace(/\d+/, String(2 ** 31));
    expect(forged).not.toBe(position);
    const { status } = await list(`?cursor=${Buffer.from(forged).toString('base64url')}`);
    expect(status).toBe(400);
  });

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=abc'],
    ['cursor', 'cursor=abc'],
    ['cursor', `cursor=${encodeCursor(['seq', '5'])}`],
  ])('400 VALIDATION_ERROR that names %s: %s', async (parameter, query) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: parameter }] });
  });
});
