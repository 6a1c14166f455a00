import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeCursor } from '../../../../api/http/replies/pagination.ts';
import type * as ledger from '../../../../db/ledger/postings.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  aCredit,
  aDebit,
  aRule,
  aTenant,
  aWallet,
  postByHand,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import { type Answer, nextPath, type SignedIn } from '../../../support/http/app.ts';
import { aCreditedPayment } from '../../../support/points/payments.ts';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const Entries = z.array(z.looseObject({ id: z.string(), balanceAfter: z.number() }));
const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let walletId: WalletId;
let owner: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  owner = await app.signIn({ role: 'consumer' });
  walletId = await aWallet(db, { userId: owner.userId, tenantId });
});

const get = (path: string, { token } = owner) =>
  app.call({ path: path.startsWith('/api') ? path : `/api/v1/consumer/wallets${path}`, token });
const history = (query = '') => get(`/${walletId}/history${query}`);
const idsOf = (answer: Answer) => Entries.parse(answer.body).map(({ id }) => id);

/** Credits 1, 2, 3… points, each in its own transaction. */
async function credit(times: number): Promise<ledger.LedgerEntry[]> {
  const entries: ledger.LedgerEntry[] = [];
  for (let points = 1; points <= times; points++) {
    entries.push(...(await db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]))));
  }
  return entries;
}

describe('GET /consumer/wallets', () => {
  it('200 with the wallets across tenants, oldest first, each with its branding', async () => {
    const logoPath = 'logos/one.png';
    const other = await aTenant(db, { name: 'Bakery' });
    await db('tenants').where({ id: other }).update({ logoPath });
    const second = await aWallet(db, { userId: owner.userId, tenantId: other, balance: 70 });
    await db('wallets').where({ id: second }).update({ status: 'frozen' });
    await db('tenants').where({ id: other }).update({ currency: 'JPY' });
    await aRule(db, other, { conversionRate: 0.125, minSpendMinorUnits: 300 });
    await aWallet(db, { tenantId, balance: 5 });

    const { status, body } = await get('');
    expect(status).toBe(200);
    const moments = {
      createdAt: expect.stringMatching(MOMENT),
      updatedAt: expect.stringMatching(MOMENT),
    };
    const logoUrl = `https://api.shop.example/objects/${logoPath}`;
    expect(body).toEqual([
      {
        id: walletId,
        tenantId,
        balance: 0,
        owed: 0,
        pending: 0,
        available: 0,
        nextRelease: null,
        status: 'active',
        ...moments,
        tenant: { id: tenantId, name: 'Corner Café', branding: { logoUrl: null, color: null } },
        currency: null,
        worthMinorUnits: 0,
        redeemable: { min: 0, max: 0 },
        redeemsFrom: null,
        earning: null,
      },
      {
        id: second,
        tenantId: other,
        balance: 70,
        owed: 0,
        pending: 0,
        available: 70,
        nextRelease: null,
        status: 'frozen',
        ...moments,
        tenant: { id: other, name: 'Bakery', branding: { logoUrl, color: null } },
        currency: 'JPY',
        worthMinorUnits: 70,
        redeemable: { min: 0, max: 0 },
        redeemsFrom: 1,
        earning: { conversionRate: 0.125, minSpendMinorUnits: 300 },
      },
    ]);
  });

  it('200 with an empty list for a user without wallets', async () => {
    const { status, body } = await get('', await app.signIn({ role: 'consumer' }));
    expect([status, body]).toEqual([200, []]);
  });

  it('200 for an operator, who may own a wallet elsewhere', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const elsewhere = await aWallet(db, { userId: operator.userId, balance: 9 });
    const { body } = await get('', operator);
    expect(body).toEqual([expect.objectContaining({ id: elsewhere, balance: 9 })]);
  });
});

describe('GET /consumer/wallets/:walletId', () => {
  it('200 with the wallet as in the list', async () => {
    await credit(3);
    const { body } = await get('');
    expect((await get(`/${walletId}`)).body).toEqual(z.array(z.unknown()).parse(body)[0]);
    expect((await get(`/${walletId}`)).body).toMatchObject({ balance: 6 });
  });

  it('200 with what a confirmation accepts, and nothing more is accepted', async () => {
    await aRule(db, tenantId, { maxRedemptionPercentage: 33.3 });
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 100)]));
    const path = `/api/v1/consumer/wallets/${walletId}/redeem/confirm`;
    const redeem = (pointsToRedeem: number) =>
      app.call({ method: 'POST', path, token: owner.token, body: { pointsToRedeem } });
    expect(await get(`/${walletId}`)).toMatchObject({
      body: { worthMinorUnits: 100, redeemable: { min: 1, max: 33 } },
    });
    expect(await redeem(34)).toMatchObject({ status: 422 });
    expect(await redeem(33)).toMatchObject({ status: 200 });
    const after = { worthMinorUnits: 67, redeemable: { min: 0, max: 0 } };
    expect(await get(`/${walletId}`)).toMatchObject({ body: after });
  });

  it.each(['', '/history'])(
    '404 for another user’s wallet, the same as for an unknown one: %s',
    async (rest) => {
      const foreign = await aWallet(db, { tenantId, balance: 5 });
      const answers = await Promise.all(
        [foreign, randomUUID(), 'not-an-id'].map((id) => get(`/${id}${rest}`)),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        expect(body).toMatchObject({ code: 'NOT_FOUND' });
      }
      const [ofAnother, unknown] = answers.map((each) => ({
        ...each.json<object>(),
        requestId: '',
      }));
      expect(ofAnother).toEqual(unknown);
    },
  );
});

describe('GET /consumer/wallets/:walletId/history', () => {
  it('200 with every field of an entry, newest first, and the balance after each', async () => {
    const debit = aDebit(walletId, 2);
    const [first] = await credit(1);
    await credit(4);
    await db.transaction((tx) => postByHand(tx, [debit]));

    const { body } = await history();
    const entries = Entries.parse(body);
    expect(entries.map(({ balanceAfter }) => balanceAfter)).toEqual([9, 11, 7, 4, 2, 1]);
    expect(entries[0]).toEqual({
      id: expect.any(String),
      walletId,
      entry_type: 'debit',
      points: 2,
      balanceAfter: 9,
      reason: 'admin_adjustment',
      sourceType: 'adjustment',
      sourceId: debit.sourceId,
      createdAt: expect.stringMatching(MOMENT),
      sale: null,
      discount: null,
    });
    expect(entries.at(-1)).toMatchObject({
      id: first?.id,
      entry_type: 'credit',
      points: 1,
      reason: 'admin_adjustment',
      sourceType: 'adjustment',
      sourceId: first?.sourceId,
      createdAt: first?.createdAt.toISOString(),
    });
  });

  it('200 with the sale of a purchase, and only the entries of one cause if asked', async () => {
    const paymentId = await aCreditedPayment(db, walletId, 9);
    await credit(1);
    const { body } = await history('?sourceType=payment');
    expect(body).toEqual([
      expect.objectContaining({
        sourceId: paymentId,
        sale: {
          amountMinorUnits: 9,
          tipMinorUnits: 0,
          refundedMinorUnits: 0,
          currency: 'EUR',
          provider: 'alpha',
          occurredAt: expect.stringMatching(MOMENT),
        },
        discount: null,
      }),
    ]);
    expect((await history('?sourceType=redemption')).body).toEqual([]);
    expect(await history('?sourceType=till')).toMatchObject({ status: 400 });
  });

  it('200 with 20 entries by default, and at most 100', async () => {
    await credit(101);
    const lengths = await Promise.all(
      ['', '?limit=7', '?limit=100', '?limit=101', `?limit=${'9'.repeat(30)}`].map(
        async (query) => {
          const answer = await history(query);
          expect(nextPath(answer)).toBeDefined();
          return idsOf(answer).length;
        },
      ),
    );
    expect(lengths).toEqual([20, 7, 100, 100, 100]);
  });

  it.each(['0', 'abc', '-1', '1.5', '', '1e1'])(
    '400 VALIDATION_ERROR for limit=%s',
    async (limit) => {
      const { status, body } = await history(`?limit=${limit}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'limit' }] });
    },
  );

  it('200 page by page, without a gap or a repeat, while entries are added', async () => {
    const before = (await credit(16)).map(({ id }) => id).reverse();
    const seen: string[] = [];
    let path: string | undefined = `/api/v1/consumer/wallets/${walletId}/history?limit=5`;
    let pages = 0;
    while (path !== undefined) {
      const answer = await get(path);
      seen.push(...idsOf(answer));
      path = nextPath(answer);
      pages++;
      await credit(2);
    }
    expect(seen).toEqual(before);
    expect(pages).toBe(4);
  });

  it('200 without a next page when the last page is full', async () => {
    await credit(4);
    const first = await history('?limit=2');
    expect(first.headers.get('link')).toContain('https://api.shop.example/api/v1/consumer/wallets');
    const last = await get(nextPath(first) ?? '');
    expect(idsOf(last)).toHaveLength(2);
    expect(last.headers.get('link')).toBeNull();
  });

  it('400 VALIDATION_ERROR for the cursor of another list', async () => {
    const merchant = await app.signIn({ role: 'client', member: tenantId });
    await aRule(db, tenantId);
    await aRule(db, tenantId);
    const rules = await get(`/api/v1/client/tenants/${tenantId}/reward-rules?limit=1`, merchant);
    const cursor = new URLSearchParams(nextPath(rules)?.split('?')[1]).get('cursor');
    const { status, body } = await history(`?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'cursor' }] });
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['empty', ''],
    ['of a list by time', encodeCursor(['2026-01-15T10:00:00.000Z', randomUUID()])],
    ['not a number', encodeCursor(['seq', 'NaN'])],
    ['not an integer', encodeCursor(['seq', '1.5'])],
    ['too large', encodeCursor(['seq', '9'.repeat(30)])],
  ])('400 VALIDATION_ERROR for a cursor that is %s', async (_, cursor) => {
    const { status, body } = await history(`?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'cursor' }] });
  });
});
