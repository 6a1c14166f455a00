import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { UserId, WalletId } from '../../../../domain/ids.ts';
import { aWallet, required } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { SignedIn } from '../../../support/http/app.ts';
import { sampleOf } from '../../../support/metric-text.ts';
import { adjustedAt } from '../../../support/points/adjustments.ts';

const LIMIT = 100;
const app = await useApp({ settings: { adjustLimitPerDay: LIMIT } });
const { db } = app;

const anAdmin = () => app.signIn({ role: 'admin' });

function adjust(admin: SignedIn, walletId: WalletId, points: number, key?: string) {
  return app.call({
    method: 'POST',
    path: `/api/v1/admin/wallets/${walletId}/adjust`,
    token: admin.token,
    body: { points, reason: 'A receipt had been left out.' },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

const refused = (issue: string, params?: object) => ({
  status: 403,
  body: { code: 'FORBIDDEN', issues: [{ path: '', code: issue, ...(params && { params }) }] },
});

const adjustedBy = async (actorUserId: UserId) => {
  const entries = await db('audit_log').where({ actorUserId, action: 'wallet.adjust' });
  return entries.map(({ after }: { after: { points: number } }) => after.points);
};
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

it('403 own_wallet for the wallet of the administrator, before anything else', async () => {
  const admin = await anAdmin();
  const walletId = await aWallet(db, { userId: admin.userId, balance: 10 });
  for (const points of [1, -1, LIMIT + 1, -1_000]) {
    expect(await adjust(admin, walletId, points)).toMatchObject(refused('own_wallet'));
  }
  expect(await db('wallets').where({ id: walletId }).first('balance')).toEqual({ balance: 10 });
  // The factory's own credit.
  expect(await adjustedBy(admin.userId)).toEqual([10]);
  expect((await adjust(await anAdmin(), walletId, 5)).status).toBe(200);
});

it('403 limit_per_day for more points than are left of 24 hours, over all wallets', async () => {
  const admin = await anAdmin();
  const [one, other] = [await aWallet(db), await aWallet(db)];
  expect((await adjust(admin, one, 60)).status).toBe(200);
  const beyond = refused('limit_per_day', { limit: LIMIT, left: 40 });
  expect(await adjust(admin, other, 41)).toMatchObject(beyond);
  expect((await adjust(admin, other, 40)).status).toBe(200);
  expect(await adjust(admin, one, 1)).toMatchObject(refused('limit_per_day', { left: 0 }));
  expect((await adjust(await anAdmin(), one, LIMIT)).status).toBe(200);
});

it('credits and debits have a limit each, and what is refused uses up none of it', async () => {
  const admin = await anAdmin();
  const walletId = await aWallet(db, { balance: 1_000 });
  const steps = [100, -LIMIT - 1, -60, -41, -40, 1, -1];
  const answers = [];
  for (const points of steps) answers.push((await adjust(admin, walletId, points)).status);
  expect(answers).toEqual([200, 403, 200, 403, 200, 403, 403]);
});

it('the limit is judged before the balance', async () => {
  const admin = await anAdmin();
  const walletId = await aWallet(db, { balance: 10 });
  expect(await adjust(admin, walletId, -LIMIT - 1)).toMatchObject(refused('limit_per_day'));
  expect(await adjust(admin, walletId, -11)).toMatchObject({ status: 422 });
});

it('what was adjusted 24 hours ago counts no more', async () => {
  const admin = await anAdmin();
  const walletId = await aWallet(db);
  const day = 24 * 3_600_000;
  await adjustedAt(db, admin.userId, LIMIT, new Date(Date.now() - day - 1_000));
  expect((await adjust(admin, walletId, LIMIT)).status).toBe(200);
});

it('20 at once on 20 wallets never pass the limit, however often it is tried', async () => {
  for (const sign of [1, -1]) {
    const admin = await anAdmin();
    const wallets: WalletId[] = [];
    for (let nth = 0; nth < 20; nth++) wallets.push(await aWallet(db, { balance: 50 }));
    const answers = await Promise.all(wallets.map((id) => adjust(admin, id, sign * 15)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(6).fill(200), ...Array(14).fill(403)]);
    expect(sum(await adjustedBy(admin.userId))).toBe(sign * 90);
  }
});

it('a repeat under its key counts once, and one beyond the limit may be sent again', async () => {
  const admin = await anAdmin();
  const walletId = await aWallet(db);
  const key = randomUUID();
  const first = await adjust(admin, walletId, 70, key);
  expect((await adjust(admin, walletId, 70, key)).body).toEqual(first.body);
  expect(await adjustedBy(admin.userId)).toEqual([70]);

  const later = randomUUID();
  expect((await adjust(admin, walletId, 50, later)).status).toBe(403);
  expect((await adjust(admin, walletId, 30, later)).status).toBe(200);
});

it('counts what is adjusted and what is refused', async () => {
  const text = () => app.metrics.metrics();
  const read = async (name: string, labels = {}) => required(sampleOf(await text(), name, labels));
  const before = await read('loyalty_adjustments_refused_total');
  const admin = await anAdmin();
  const walletId = await aWallet(db);
  await adjust(admin, walletId, LIMIT + 1);
  await adjust(admin, walletId, LIMIT);
  expect(await read('loyalty_adjustments_refused_total')).toBe(before + 1);
  expect(await read('loyalty_points_adjusted_total', { entry_type: 'credit' })).toBeGreaterThan(99);
});
