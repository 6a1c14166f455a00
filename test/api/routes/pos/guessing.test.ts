import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { aTenant, aWallet, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { sampleOf } from '../../../support/metric-text.ts';
import { aRedemption, expiresIn } from '../../../support/points/redemptions.ts';

// An operator who tries codes, at the routes of the till as they are served.

const app = await useApp();

let shop: TenantId;
let operator: SignedIn;
beforeEach(async () => {
  shop = await aTenant(app.db);
  operator = await app.signIn({ role: 'pos_operator', member: shop });
});

const ask = (step: string, code: string, headers: Record<string, string> = {}) =>
  app.call({
    method: 'POST',
    path: `/api/v1/pos/redemptions/${step}`,
    token: operator.token,
    body: { code },
    headers,
  });
const unknown = (nth: number) => `FFFFFFFF${nth.toString().padStart(4, '0')}`;
const aCode = async (owner: Partial<SignedIn> = {}) => {
  const { userId } = owner;
  const walletId = await aWallet(app.db, {
    balance: 90,
    tenantId: shop,
    ...(userId && { userId }),
  });
  return aRedemption(app.db, { walletId });
};

/** Tries that many different unknown codes, by look-up and by completing, and expects 404. */
async function guess(from: number, to: number): Promise<void> {
  for (let nth = from; nth <= to; nth++) {
    const step = nth % 2 === 0 ? 'lookup' : 'complete';
    const key = nth % 3 === 0 ? { 'idempotency-key': `guess-${nth}` } : {};
    expect((await ask(step, unknown(nth), key)).status).toBe(404);
  }
}

const age = (seconds: number) =>
  app.db.raw(
    `update code_guesses set blocked_until = blocked_until - make_interval(secs => :seconds),
       codes = (select coalesce(jsonb_object_agg(key, value::numeric - :seconds), '{}')
                from jsonb_each(codes))
     where user_id = :userId`,
    { seconds, userId: operator.userId },
  );
const blocks = async () =>
  required(sampleOf(await app.metrics.metrics(), 'loyalty_operators_blocked_total'));

describe('thirty different unknown codes in ten minutes', () => {
  it('are answered 404 each, and then 429 for a minute, to that operator only', async () => {
    const { code } = await aCode();
    const before = await blocks();
    await guess(1, 30);
    for (const step of ['lookup', 'complete']) {
      const refused = await ask(step, code);
      expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(50);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect(await blocks()).toBe(before + 1);
    const lines = app.log.filter((line) => line.includes('codes_guessed'));
    expect(lines.filter((line) => line.includes(operator.userId))).toHaveLength(1);
    expect(lines.join()).not.toContain(unknown(30));

    const blocked = operator;
    operator = await app.signIn({ role: 'pos_operator', member: shop });
    expect((await ask('lookup', code)).status).toBe(200);
    operator = blocked;
    await age(60);
    expect((await ask('complete', code)).status).toBe(200);
  });

  it('start again after the minute, which is never longer', async () => {
    await guess(1, 30);
    await age(59);
    expect((await ask('lookup', unknown(31))).status).toBe(429);
    await age(1);
    await guess(31, 59);
    expect((await ask('lookup', unknown(1))).status).toBe(404);
    expect((await ask('lookup', unknown(2))).status).toBe(429);
  });

  it('are not reached by codes that are repeated, malformed or older', async () => {
    await guess(1, 28);
    for (let time = 0; time < 5; time++) {
      for (const code of [unknown(3), 'ABC', `${unknown(4)}0`, 'GGGGGGGGGGGG']) {
        expect((await ask('lookup', code)).status).toBe(404);
      }
    }
    await age(601);
    await guess(29, 57);
    expect((await ask('lookup', unknown(57))).status).toBe(404);
  });

  it('are not reached by codes that are used, expired or one’s own', async () => {
    await guess(1, 29);
    const [used, expired, own] = [await aCode(), await aCode(), await aCode(operator)];
    await app.db('redemptions').where({ id: used.id }).update({
      status: 'used',
      usedAt: app.db.fn.now(),
      usedBy: operator.userId,
      sealedCode: null,
    });
    await expiresIn(app.db, [expired.id], -1);
    for (const { code } of [used, expired, own]) {
      expect((await ask('lookup', code)).status).toBe(200);
      expect((await ask('complete', code)).status).toBe(422);
    }
    await guess(30, 30);
    expect((await ask('lookup', used.code)).status).toBe(429);
  });

  it('include those of another shop', async () => {
    await guess(1, 29);
    expect((await ask('lookup', (await aRedemption(app.db)).code)).status).toBe(404);
    expect((await ask('lookup', unknown(1))).status).toBe(429);
  });

  it('are counted anew once a code was completed', async () => {
    await guess(1, 29);
    expect((await ask('complete', (await aCode()).code)).status).toBe(200);
    await guess(30, 58);
    expect((await ask('lookup', unknown(58))).status).toBe(404);
  });

  it('are counted once for an Idempotency-Key, whose answer is stored', async () => {
    await guess(1, 28);
    const key = { 'idempotency-key': 'again' };
    for (let time = 0; time < 3; time++) {
      expect((await ask('complete', unknown(29), key)).status).toBe(404);
    }
    await guess(30, 30);
    expect((await ask('lookup', unknown(1))).status).toBe(429);
  });

  it('leave connections to everybody else while many are tried at once', async () => {
    const tried = Array.from({ length: 29 }, (_, nth) => ask('complete', unknown(nth)));
    const answers = await Promise.all(tried);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await ask('lookup', unknown(30))).status).toBe(404);
    expect((await ask('lookup', unknown(30))).status).toBe(429);
  });
});
