import { beforeEach, describe, expect, it } from 'vitest';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import { aTenant, aWallet } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  redemptionRow,
} from '../../../support/points/redemptions.ts';

const app = await useApp();

let issued: Issued;
let operator: SignedIn;
beforeEach(async () => {
  const email = `grace-${crypto.randomUUID()}@example.com`;
  issued = await aRedemption(app.db, { email, currency: 'EUR' });
  const colleague = { email: `boole-${crypto.randomUUID()}@example.com`, name: 'George Boole' };
  operator = await app.signIn({ role: 'pos_operator', member: issued.tenantId, ...colleague });
});

const ask = (step: 'lookup' | 'complete', code: unknown, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/pos/redemptions/${step}`,
    token: operator.token,
    body: { code },
    headers,
  });

describe('POST /pos/redemptions/lookup', () => {
  const usual = () => ({
    code: issued.code,
    status: 'issued',
    cancelled: false,
    points: 30,
    discountValueMinorUnits: 30,
    currency: 'EUR',
    reward: null,
    expiresAt: issued.expiresAt.toISOString(),
    usedAt: null,
    usedBy: null,
    customer: { initials: 'G' },
    tenant: { id: issued.tenantId, name: 'Shop' },
  });

  it('200 with the value of the code, however it is typed, without using it', async () => {
    const typed = ` ${issued.code.slice(0, 4)} ${issued.code.slice(4).toLowerCase()}\n`;
    const answer = await ask('lookup', typed);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(usual());
    expect(await redemptionRow(app.db, issued.id)).toMatchObject({ status: 'issued' });
  });

  it('200 with the status of a used and of an expired code', async () => {
    await app.db('users').where({ id: issued.userId }).update({ name: 'Grace Brewster Hopper' });
    const used = await ask('complete', issued.code);
    expect((await ask('lookup', issued.code)).body).toEqual({
      ...usual(),
      status: 'used',
      usedAt: used.json<{ usedAt: string }>().usedAt,
      usedBy: { userId: operator.userId, email: 'b***@example.com', name: 'George Boole' },
      customer: { initials: 'GH' },
    });

    const other = await aRedemption(app.db, { walletId: issued.walletId });
    await expiresIn(app.db, [other.id], -1);
    const overdue = await ask('lookup', other.code);
    expect(overdue).toMatchObject({ status: 200, body: { status: 'expired', usedAt: null } });
    await lifecycle.expireOne(app.db, other.id, 'refund');
    expect((await ask('lookup', other.code)).body).toEqual(overdue.body);
  });

  it('200 expired, and why, for a code that its customer cancelled', async () => {
    await app.db.transaction((tx) => lifecycle.cancel(tx, issued));
    expect((await ask('lookup', issued.code)).body).toEqual({
      ...usual(),
      status: 'expired',
      cancelled: true,
    });
  });
});

describe('POST /pos/redemptions/complete', () => {
  it('200, and the code is used by this operator', async () => {
    const answer = await ask('complete', issued.code.toLowerCase());
    const row = await redemptionRow(app.db, issued.id);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      ok: true,
      status: 'used',
      points: 30,
      discountValueMinorUnits: 30,
      currency: 'EUR',
      reward: null,
      usedAt: row.usedAt?.toISOString(),
      redemptionId: issued.id,
      tenant: { id: issued.tenantId, name: 'Shop' },
    });
    expect(row).toMatchObject({ status: 'used', usedBy: operator.userId, sealedCode: null });
  });

  it('one 200 and 49 × 422 already used for 50 at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask('complete', issued.code)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(49);
    const row = await redemptionRow(app.db, issued.id);
    for (const { status, body } of refused) {
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'RULE_REJECTED',
        message: 'This code has already been used. Ask the customer for a new one.',
        issues: [{ path: '', code: 'code_used', params: { usedAt: row.usedAt?.toISOString() } }],
      });
    }
  });

  it('422 expired by the database’s clock, before and after a timer fired', async () => {
    await expiresIn(app.db, [issued.id], 0);
    const message = 'This code has expired. Ask the customer for a new one.';
    const { expiresAt } = await redemptionRow(app.db, issued.id);
    const params = { expiredAt: expiresAt.toISOString() };
    const expired = { code: 'RULE_REJECTED', message, issues: [{ code: 'code_expired', params }] };
    expect(await ask('complete', issued.code)).toMatchObject({ status: 422, body: expired });
    expect(await redemptionRow(app.db, issued.id)).toMatchObject({ status: 'issued' });
    await lifecycle.expireOne(app.db, issued.id, 'refund');
    expect(await ask('complete', issued.code)).toMatchObject({ status: 422, body: expired });
  });

  it('422 code_cancelled for a code that its customer cancelled', async () => {
    await app.db.transaction((tx) => lifecycle.cancel(tx, issued));
    expect(await ask('complete', issued.code)).toMatchObject({
      status: 422,
      body: {
        code: 'RULE_REJECTED',
        message: 'This code was cancelled. Ask the customer for a new one.',
        issues: [{ path: '', code: 'code_cancelled' }],
      },
    });
  });

  it('200 again under the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'till-1' };
    const first = await ask('complete', issued.code, key);
    const again = await ask('complete', issued.code, key);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('422 own_code for the operator’s own, which a colleague can complete', async () => {
    const walletId = await aWallet(app.db, {
      balance: 100,
      ...operator,
      tenantId: issued.tenantId,
    });
    const own = await aRedemption(app.db, { walletId });
    expect(await ask('lookup', own.code)).toMatchObject({
      status: 200,
      body: { status: 'issued' },
    });
    expect(await ask('complete', own.code)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED', issues: [{ path: '', code: 'own_code' }] },
    });
    expect(await redemptionRow(app.db, own.id)).toMatchObject({ status: 'issued' });
    operator = await app.signIn({ role: 'pos_operator', member: issued.tenantId });
    expect(await ask('complete', own.code)).toMatchObject({ status: 200 });
  });
});

describe.each(['lookup', 'complete'] as const)('POST /pos/redemptions/%s refuses', (step) => {
  it('404 with one message for an unknown code and for another tenant’s', async () => {
    const unknown = await ask(step, 'FFFFFFFFFFFF');
    operator = await app.signIn({ role: 'pos_operator', member: await aTenant(app.db) });
    const foreign = await ask(step, issued.code);
    for (const { status, body } of [unknown, foreign]) {
      expect(status).toBe(404);
      const message = 'There is no such code. Check the code and try again.';
      expect(body).toMatchObject({ code: 'NOT_FOUND', message });
    }
    expect(await redemptionRow(app.db, issued.id)).toMatchObject({ status: 'issued' });
  });

  it.each([
    ['blank', ' \t'],
    ['too long', 'A'.repeat(101)],
    ['not text', 12],
    ['missing', undefined],
  ])('400 VALIDATION_ERROR for a code that is %s', async (_, code) => {
    const answer = await ask(step, code);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('403 TENANT_FORBIDDEN for an operator without a shop', async () => {
    operator = await app.signIn({ role: 'pos_operator' });
    const answer = await ask(step, issued.code);
    expect(answer).toMatchObject({ status: 403, body: { code: 'TENANT_FORBIDDEN' } });
  });

  it('403 INSUFFICIENT_ROLE for a consumer', async () => {
    operator = await app.signIn({ role: 'consumer' });
    const answer = await ask(step, issued.code);
    expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_ROLE' } });
  });
});
