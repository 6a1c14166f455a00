import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as choices from '../../../../db/notices/choices.ts';
import { numberOf } from '../../../../db/users/members.ts';
import type { TenantId, WalletId } from '../../../../domain/ids.ts';
import {
  aCredit,
  aDebit,
  aProgramme,
  aRule,
  aTenant,
  aWallet,
  postByHand,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { aCreditedPayment, aTill } from '../../../support/points/payments.ts';
import { aRedemption } from '../../../support/points/redemptions.ts';
import { createMemoryStore, signAll } from '../../../support/points/statements.ts';
import { aPushSubscription } from '../../../support/push-service.ts';

const objects = createMemoryStore();
const app = await useApp({ objects });
const { db } = app;
const PATH = '/api/v1/consumer/export';
const DAY_MS = 24 * 3_600_000;

type Entry = {
  id: string;
  entry_type: 'credit' | 'debit';
  points: number;
  balanceAfter: number;
  reason: string;
  explanation: { summary: string; steps: string[] };
};
type Exported = {
  person: Record<string, unknown>;
  wallets: {
    wallet: { id: string; balance: number };
    entries: Entry[];
    redemptions: { id: string; code: string | null }[];
    sales: {
      id: string;
      pointsAwarded: number;
      amountMinorUnits: number;
      explanation: Entry['explanation'];
    }[];
    attachments: { transactionId: string }[];
    standing: unknown;
    proof: { entries: unknown[]; inclusion: unknown } | null;
  }[];
  notices: unknown[];
  noticeChoices: unknown;
  browsers: unknown[];
  notErased: string[];
};

let email: string;
let ada: SignedIn;
let tenantId: TenantId;
beforeEach(async () => {
  email = `ada.${randomUUID()}@example.com`;
  ada = await app.signIn({ role: 'consumer', email });
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  await aRule(db, tenantId);
});

const ask = (token = ada.token) => app.call({ path: PATH, token });
const own = async (token?: string) => (await ask(token)).json<Exported>();
const tooMany = {
  status: 429,
  body: { code: 'RATE_LIMITED', issues: [{ code: 'too_many_exports' }] },
};
const balanceIn = ({ entries }: { entries: Entry[] }) =>
  entries.reduce(
    (sum, { entry_type: type, points }) => sum + (type === 'credit' ? 1 : -1) * points,
    0,
  );

/** Has staff attach a sale that named nobody, for $70. */
async function attachedSale(): Promise<string> {
  await aProgramme(db, tenantId, { tillAttach: true });
  const createdAt = new Date(Date.now() - 60_000);
  const id = await (await aTill(db, tenantId))({ amount: 70, createdAt });
  const till = await app.signIn({ role: 'pos_operator', member: tenantId });
  const answer = await app.call({
    method: 'POST',
    path: `/api/v1/pos/anonymous-sales/${id}/attach`,
    token: till.token,
    body: { member: await numberOf(db, ada.userId) },
  });
  expect(answer.status).toBe(200);
  return id;
}

/** Takes 5 points of a wallet as those of a month that has ended. */
async function expired(walletId: WalletId): Promise<void> {
  const id = randomUUID();
  const month = { month: '2026-02-01', earnedBy: '2026-01-01' };
  await db('point_expiries').insert({ id, tenantId, walletId, points: 5, ...month });
  const debit = { ...aDebit(walletId, 5), reason: 'points_expired', sourceType: 'expiry' } as const;
  await db.transaction((tx) => postByHand(tx, [{ ...debit, sourceId: id }]));
}

describe('GET /consumer/export', () => {
  it('200: every kind of entry of two wallets, which add up to the balances', async () => {
    const attached = await attachedSale();
    const paid = await (await aTill(db, tenantId))({ amount: 1_000, email });
    const first = (await db('wallets').where({ tenantId, userId: ada.userId }).first('id')).id;
    const code = await aRedemption(db, { walletId: first, points: 30 });
    await expired(first);
    await signAll(db, objects, '2026-01-15');
    const term = { since: '2026-01-15', keptUntil: '2027-01-15' };
    const standing = { walletId: first, tenantId, tierKey: 'gold', ...term };
    await db('wallet_standings').insert({ ...standing, decidedOn: '2026-01-15' });
    await choices.change(db, ada.userId, { points: 'each' });
    await db('expiry_notices').insert({ walletId: first, month: '2026-03-01' });
    await aPushSubscription(db, ada.userId);
    const second = await aWallet(db, { userId: ada.userId, balance: 12 });
    await db.transaction((tx) => postByHand(tx, [aDebit(second, 2)]));
    const stranger = await app.signIn({ role: 'consumer' });
    const others = await aWallet(db, { tenantId, userId: stranger.userId, balance: 77 });
    const theirs = await aCreditedPayment(db, others, 9);

    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'content-disposition': 'attachment; filename="my-points.json"',
      'cache-control': 'no-store',
    });
    const body = answer.json<Exported>();
    expect(Object.keys(body)).toEqual([
      'person',
      'wallets',
      'notices',
      'noticeChoices',
      'browsers',
      'notErased',
    ]);
    expect(body.person).toEqual({
      id: ada.userId,
      email,
      emailVerified: true,
      phone: null,
      phoneVerified: false,
      name: null,
      language: null,
      memberNumber: await numberOf(db, ada.userId),
      role: 'consumer',
      status: 'active',
      createdAt: expect.any(String),
    });
    expect(body.wallets.map(({ wallet }) => wallet.id)).toEqual([first, second]);
    for (const exported of body.wallets) {
      expect(balanceIn(exported)).toBe(exported.wallet.balance);
      for (const { explanation } of exported.entries) expect(explanation.summary).toMatch(/\.$/);
    }
    const [one, two] = body.wallets;
    const reasons = ['points_expired', 'redemption', 'purchase', 'purchase'];
    expect(one?.entries.map(({ reason }) => reason)).toEqual(reasons);
    const explained = await app.call({
      path: `/api/v1/consumer/wallets/${first}/history/${one?.entries[0]?.id}/explain`,
      token: ada.token,
    });
    expect(explained.body).toMatchObject({ ...one?.entries[0]?.explanation });
    expect(one?.entries[0]?.explanation.steps[0]).toContain('earned');
    expect(one?.redemptions).toMatchObject([{ id: code.id, code: code.code, points: 30 }]);
    expect(one?.sales.map(({ id }) => id).sort()).toEqual([attached, paid].sort());
    expect(one?.sales.find(({ id }) => id === paid)).toMatchObject({
      amountMinorUnits: 1_000,
      pointsAwarded: 1_000,
      explanation: { summary: 'You earned 1000 points.' },
    });
    expect(one?.attachments).toEqual([{ transactionId: attached, attachedAt: expect.any(String) }]);
    expect(one?.standing).toEqual({ tierKey: 'gold', ...term });
    expect(one?.proof).toMatchObject({ walletId: first, inclusion: { seq: 4 } });
    expect(two).toMatchObject({ redemptions: [], sales: [], attachments: [], standing: null });
    expect(two?.proof).toMatchObject({ inclusion: null, statements: [] });
    expect(body.notices).toEqual([{ walletId: first, month: '2026-03' }]);
    expect(body.noticeChoices).toEqual({ points: 'each', weekly: true, waiting: true });
    const endpoint = expect.stringContaining('https://push.example/');
    expect(body.browsers).toEqual([{ endpoint, createdAt: expect.any(String) }]);
    expect(body.notErased).toHaveLength(4);

    const text = JSON.stringify(body);
    for (const foreign of [stranger.userId, others, theirs]) expect(text).not.toContain(foreign);
    expect(JSON.stringify(await own(stranger.token))).not.toMatch(
      new RegExp([ada.userId, first, paid, attached, email].join('|')),
    );
  });

  it('200 for somebody without a wallet', async () => {
    expect(await own()).toMatchObject({ person: { email }, wallets: [], notices: [] });
  });

  it('sends a long history page by page, whole and in order', async () => {
    const walletId = await aWallet(db, { tenantId, userId: ada.userId });
    const credits = Array.from({ length: 1_203 }, () => aCredit(walletId, 1));
    await db.transaction((tx) => postByHand(tx, credits));
    const answer = await ask();
    expect(answer.headers.get('content-length')).toBeNull();
    const [only] = answer.json<Exported>().wallets;
    expect(only?.entries.map(({ balanceAfter }) => balanceAfter)).toEqual(
      Array.from({ length: 1_203 }, (_, nth) => 1_203 - nth),
    );
  });

  it('breaks off where the reading fails, so that it does not look complete', async () => {
    await aWallet(db, { tenantId, userId: ada.userId, balance: 5 });
    await signAll(db, objects, '2026-01-15');
    // The proof is the last part of a wallet.
    objects.objects.clear();
    const response = await fetch(`${app.url}${PATH}`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('429 too_many_exports: the fourth within 24 hours, and again after that', async () => {
    for (let nth = 0; nth < 3; nth++) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused).toMatchObject(tooMany);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(refused.json<{ message: string }>().message).toContain('Try again later');
    const other = await app.signIn({ role: 'consumer' });
    expect((await ask(other.token)).status).toBe(200);
    const earlier = [1.1, 0.5, 0.1].map((days) => new Date(Date.now() - days * DAY_MS));
    await db('users').where({ id: ada.userId }).update({ dataExports: earlier });
    expect((await ask()).status).toBe(200);
    expect(await ask()).toMatchObject(tooMany);
  });

  it('429 too_many_exports: a second while one is being made, which does not count', async () => {
    await aWallet(db, { tenantId, userId: ada.userId, balance: 5 });
    const lock = await app.owner.transaction();
    let running: Promise<{ status: number }>;
    try {
      await lock.raw('lock table ledger_entries in access exclusive mode');
      running = ask();
      const counted = () => db('users').where({ id: ada.userId }).first('dataExports');
      await expect.poll(async () => (await counted())?.dataExports).toHaveLength(1);
      const second = await ask();
      expect(second).toMatchObject(tooMany);
      expect(second.headers.get('retry-after')).toBe('5');
      expect((await counted())?.dataExports).toHaveLength(1);
    } finally {
      await lock.rollback();
    }
    expect((await running).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });
});
