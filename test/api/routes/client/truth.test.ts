import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as truthDays from '../../../../db/connections/truth-days.ts';
import { ConnectionId, type TenantId } from '../../../../domain/ids.ts';
import { dayBefore, dayTextOf } from '../../../../domain/intervals.ts';
import { aBetaConnection, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const begun: unknown[] = [];
let isReachable = true;
const app = await useApp({
  orchestrator: {
    bringIn: async (day) => {
      if (!isReachable) throw new Error('Temporal is away.');
      begun.push(day);
    },
  },
});
const { db } = app;
const totals = { count: 1, amountMinorUnits: 500, refundedMinorUnits: 0 };
const found = { provider: totals, ours: totals, changed: 0, unknown: 0, repaired: 0 };

let tenantId: TenantId;
let connectionId: ConnectionId;
let token: string;
let path: string;
beforeEach(async () => {
  begun.splice(0);
  isReachable = true;
  tenantId = await aTenant(db);
  // Its day is another one than that of UTC, before or after it.
  await db('tenants').where({ id: tenantId }).update({ timeZone: 'Pacific/Kiritimati' });
  await aBetaConnection(db, { tenantId, merchantId: randomUUID() });
  const row = await db('pos_connections').where({ tenantId }).first('id');
  connectionId = ConnectionId.parse(row.id);
  ({ token } = await app.signIn({ role: 'client', member: tenantId }));
  path = `/api/v1/client/tenants/${tenantId}/pos-connections/${connectionId}/truth`;
});

const today = () => dayTextOf(new Date(), 'Pacific/Kiritimati');
const list = (from: string, to: string) =>
  app.call({ path: `${path}?from=${from}&to=${to}`, token });
const repair = (day: string, headers = {}) =>
  app.call({ method: 'POST', path: `${path}/${day}/repair`, token, headers });

describe('GET …/truth', () => {
  it('200: lists the days of the span, both ends included, in their order', async () => {
    const of = { connectionId, tenantId };
    const day = (each: string, status: 'agrees' | 'differs', missing: number) =>
      truthDays.saveDay(db, { ...of, day: each }, { ...found, status, missing });
    await day('2026-03-03', 'agrees', 0);
    await day('2026-03-01', 'differs', 2);
    await day('2026-03-02', 'agrees', 0);
    await day('2026-03-04', 'agrees', 0);
    const answer = await list('2026-03-01', '2026-03-03');
    expect(answer).toMatchObject({
      status: 200,
      body: [
        { day: '2026-03-01', status: 'differs', missing: 2, provider: totals, ours: totals },
        { day: '2026-03-02', status: 'agrees' },
        { day: '2026-03-03', status: 'agrees', checkedAt: expect.any(String) },
      ],
    });
    expect(answer.body).toHaveLength(3);
  });

  it.each([
    ['2026-03-02', '2026-03-01'],
    ['2025-01-01', '2026-03-01'],
    ['2026-02-30', '2026-03-01'],
    ['yesterday', '2026-03-01'],
  ])('400: from %s to %s', async (from, to) => {
    expect(await list(from, to)).toMatchObject({ status: 400 });
  });

  it("404: another shop's connection", async () => {
    const other = await aTenant(db);
    await db('pos_connections').where({ id: connectionId }).update({ tenantId: other });
    expect(await list('2026-03-01', '2026-03-01')).toMatchObject({ status: 404 });
  });
});

describe('POST …/truth/:day/repair', () => {
  it('202: begins to bring in a day, today and one of the 30 days before', async () => {
    const first = dayBefore(today(), 30);
    for (const day of [first, today()]) {
      expect(await repair(day)).toMatchObject({ status: 202, body: { connectionId, day } });
    }
    const day = (each: string) => ({ connectionId, tenantId, day: each });
    expect(begun).toEqual([day(first), day(today())]);
  });

  it.each([
    ['a day that is too old', () => dayBefore(today(), 31)],
    ['tomorrow', () => dayBefore(today(), -1)],
    ['what is no day', () => '2026-02-30'],
  ])('400: %s', async (_, day) => {
    expect(await repair(day())).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(begun).toEqual([]);
  });

  it('404: an account that is not connected any more', async () => {
    await db('pos_connections').where({ id: connectionId }).update({ status: 'disconnected' });
    expect(await repair(today())).toMatchObject({ status: 404 });
  });

  it('503: it cannot be begun', async () => {
    isReachable = false;
    expect(await repair(today())).toMatchObject({ status: 503 });
  });

  it('begins, and is recorded, once for a repeated key, unless it could not begin', async () => {
    const key = { 'idempotency-key': 'repair' };
    isReachable = false;
    expect(await repair(today(), key)).toMatchObject({ status: 503 });
    isReachable = true;
    for (let time = 0; time < 2; time++) {
      expect(await repair(today(), key)).toMatchObject({ status: 202, body: { connectionId } });
    }
    expect(begun).toHaveLength(1);
    expect(await db('audit_log').where({ tenantId })).toMatchObject([
      {
        action: 'day.bring_in',
        actorUserId: expect.any(String),
        targetType: 'connection',
        targetId: connectionId,
        before: {},
        after: { provider: 'beta', day: today() },
      },
    ]);
  });
});
