import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/connection.ts';
import type { WalletId } from '../../../../domain/ids.ts';
import {
  aCredit,
  aDebit,
  aRule,
  aTenant,
  aWallet,
  postByHand,
} from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';
import type { Call, SignedIn } from '../../../support/http/app.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin' })).token;

const ask = (method: string, path: string, rest: Omit<Call, 'method' | 'path'> = {}) =>
  app.call({ method, path: `/api/v1${path}`, ...rest });

const at = (walletId: string, action: string) => `/admin/wallets/${walletId}/${action}`;
const adjust = (walletId: string, points: number, reason = 'A receipt was credited twice.') =>
  ask('POST', at(walletId, 'adjust'), { token, body: { points, reason } });
/** What the tests themselves posted by hand is left out. */
const auditOf = (targetId: string) =>
  db('audit_log').where({ targetId }).whereNot('requestId', 'test').orderBy('seq');
const entriesOf = (walletId: WalletId) => db('ledger_entries').where({ walletId }).orderBy('seq');
const stateOf = (id: WalletId) => db('wallets').where({ id }).first('balance', 'status');

describe('POST /admin/wallets/:walletId/freeze and /unfreeze', () => {
  it('200 with the status, and every call in the audit log, even without a change', async () => {
    const walletId = await aWallet(db, { tenantId: await aTenant(db) });
    const steps = ['freeze', 'freeze', 'unfreeze', 'unfreeze'];
    const statuses = ['frozen', 'frozen', 'active', 'active'];
    for (const [nth, action] of steps.entries()) {
      const { status, body } = await ask('POST', at(walletId, action), {
        token,
        headers: { 'x-correlation-id': `call-${nth}` },
      });
      expect({ status, body }).toEqual({ status: 200, body: { walletId, status: statuses[nth] } });
      expect(await stateOf(walletId)).toMatchObject({ status: statuses[nth] });
    }

    const { tenantId } = await db('wallets').where({ id: walletId }).first('tenantId');
    const entry = (nth: number, action: string, before: string, after: string) => ({
      action,
      targetType: 'wallet',
      tenantId,
      reason: null,
      before: { status: before },
      after: { status: after },
      requestId: `call-${nth}`,
    });
    expect(await auditOf(walletId)).toMatchObject([
      entry(0, 'wallet.freeze', 'active', 'frozen'),
      entry(1, 'wallet.freeze', 'frozen', 'frozen'),
      entry(2, 'wallet.unfreeze', 'frozen', 'active'),
      entry(3, 'wallet.unfreeze', 'active', 'active'),
    ]);
  });

  it.each(['freeze', 'unfreeze'])('404 NOT_FOUND for an unknown wallet: %s', async (action) => {
    for (const id of [randomUUID(), 'not-an-id']) {
      const { status, body } = await ask('POST', at(id, action), { token });
      expect({ status, body }).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('200 after a debit in progress, which is not undone', async () => {
    const walletId = await aWallet(db, { balance: 100 });
    const redeeming = db.transaction(async (tx) => {
      await postByHand(tx, [aDebit(walletId, 60)]);
      const freezing = ask('POST', at(walletId, 'freeze'), { token });
      // The request waits for the lock, so it cannot complete before the commit.
      await expect.poll(() => waiting(db)).toBe(1);
      return { freezing };
    });
    const { freezing } = await redeeming;
    expect(await freezing).toMatchObject({ status: 200, body: { status: 'frozen' } });
    expect(await stateOf(walletId)).toEqual({ balance: 40, status: 'frozen' });
  });

  it('200 for many at once, with one state and one audit entry per call', async () => {
    const walletId = await aWallet(db);
    const calls = ['freeze', 'unfreeze', 'freeze', 'unfreeze', 'freeze', 'unfreeze'];
    const answers = await Promise.all(
      calls.map((action) => ask('POST', at(walletId, action), { token })),
    );
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));

    const audit = await auditOf(walletId);
    expect(audit).toHaveLength(calls.length);
    let status = 'active';
    for (const { before, after } of audit) {
      expect(before).toEqual({ status });
      status = after.status;
    }
    expect(await stateOf(walletId)).toMatchObject({ status });
  });
});

describe('POST /admin/wallets/:walletId/adjust', () => {
  it('200 with the new balance; ledger and audit log refer to each other', async () => {
    const walletId = await aWallet(db, { balance: 100 });
    const { status, body } = await adjust(walletId, -30);
    const [, entry] = await entriesOf(walletId);
    const [audited] = await auditOf(walletId);

    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, walletId, balance: 70, ledgerEntryId: entry.id },
    });
    expect(entry).toMatchObject({
      entryType: 'debit',
      points: 30,
      balanceAfter: 70,
      reason: 'admin_adjustment',
      sourceType: 'adjustment',
      sourceId: audited.id,
    });
    expect(audited).toMatchObject({
      action: 'wallet.adjust',
      targetType: 'wallet',
      reason: 'A receipt was credited twice.',
      before: { balance: 100 },
      after: { balance: 70, points: -30, ledgerEntryId: entry.id },
    });
  });

  it('200 for a credit, even of a frozen wallet', async () => {
    const walletId = await aWallet(db);
    await ask('POST', at(walletId, 'freeze'), { token });
    expect(await adjust(walletId, 2 ** 31 - 1)).toMatchObject({
      status: 200,
      body: { balance: 2 ** 31 - 1 },
    });
    expect(await adjust(walletId, -(2 ** 31 - 1))).toMatchObject({
      status: 200,
      body: { balance: 0 },
    });
  });

  it('200 with one effect for repeats under one Idempotency-Key, even at once', async () => {
    const walletId = await aWallet(db);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { points: 7, reason: 'A gift.' };
    const send = () => ask('POST', at(walletId, 'adjust'), { token, body, headers });
    const answers = [...(await Promise.all([send(), send(), send()])), await send()];

    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    expect(answers.at(-1)).toMatchObject({ status: 200, body: { balance: 7 } });
    expect(answers.at(-1)?.headers.get('idempotency-replayed')).toBe('true');
    expect(await stateOf(walletId)).toMatchObject({ balance: 7 });
    expect(await auditOf(walletId)).toHaveLength(1);
  });

  it('422 INSUFFICIENT_BALANCE for a debit below zero, and nothing is stored', async () => {
    const walletId = await aWallet(db, { balance: 10 });
    expect(await adjust(walletId, -11)).toMatchObject({
      status: 422,
      body: { code: 'INSUFFICIENT_BALANCE' },
    });
    expect(await stateOf(walletId)).toMatchObject({ balance: 10 });
    expect(await auditOf(walletId)).toEqual([]);
  });

  it('422 RULE_REJECTED for more points than can be counted exactly', async () => {
    const walletId = await aWallet(db, { balance: Number.MAX_SAFE_INTEGER });
    expect(await adjust(walletId, 1)).toMatchObject({
      status: 422,
      body: { code: 'RULE_REJECTED' },
    });
  });

  it.each([
    ['zero points', { points: 0, reason: 'x' }],
    ['too many points', { points: 2 ** 31, reason: 'x' }],
    ['half a point', { points: 0.5, reason: 'x' }],
    ['no reason', { points: 1 }],
    ['a blank reason', { points: 1, reason: ' ' }],
    ['a long reason', { points: 1, reason: 'x'.repeat(501) }],
    ['an empty body', {}],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const walletId = await aWallet(db, { balance: 10 });
    expect(await ask('POST', at(walletId, 'adjust'), { token, body })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
    expect(await entriesOf(walletId)).toHaveLength(1);
  });

  it('404 NOT_FOUND for an unknown wallet', async () => {
    expect(await adjust(randomUUID(), 1)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it('200 for one of two debits at once that together exceed the balance', async () => {
    for (let round = 0; round < 10; round++) {
      const walletId = await aWallet(db, { balance: 100 });
      const answers = await Promise.all([adjust(walletId, -60), adjust(walletId, -60)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect(await stateOf(walletId)).toMatchObject({ balance: 40 });
      expect(await auditOf(walletId)).toHaveLength(1);
    }
  });

  it('audit log and ledger agree after many at once, together with credits', async () => {
    const walletId = await aWallet(db, { balance: 50 });
    const steps = [-40, 25, -30, 10, -50, 60, -5, 15];
    const credits = [1, 2, 3].map((points) => aCredit(walletId, points));
    const answers = await Promise.all([
      ...steps.map((points) => adjust(walletId, points)),
      ...credits.map((credit) =>
        db.transaction((tx) => postByHand(tx, [credit])).then(() => undefined),
      ),
    ]);
    const accepted = answers.filter((answer) => answer?.status === 200);

    const others = credits.map((credit) => credit.sourceId);
    const adjustments = (await entriesOf(walletId)).filter(
      ({ seq, sourceId }: { seq: number; sourceId: string }) =>
        seq > 1 && !others.includes(sourceId),
    );
    const audit = await auditOf(walletId);
    expect(audit).toHaveLength(accepted.length);
    expect(audit.map(({ id, after }) => [id, after.ledgerEntryId, after.balance])).toEqual(
      adjustments.map(({ id, sourceId, balanceAfter }) => [sourceId, id, balanceAfter]),
    );
  });
});

describe('together with redemptions', () => {
  const redeem = (walletId: WalletId, consumer: SignedIn) =>
    ask('POST', `/consumer/wallets/${walletId}/redeem/confirm`, {
      token: consumer.token,
      body: { pointsToRedeem: 10 },
    });

  async function aRedeemableWallet(balance: number) {
    const consumer = await app.signIn({ role: 'consumer' });
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const walletId = await aWallet(db, { balance, tenantId, userId: consumer.userId });
    return { consumer, walletId };
  }

  it('freeze refuses redemptions after it, and cancels those before it', async () => {
    const { consumer, walletId } = await aRedeemableWallet(1000);
    const [frozen, ...confirms] = await Promise.all([
      ask('POST', at(walletId, 'freeze'), { token }),
      ...Array.from({ length: 12 }, () => redeem(walletId, consumer)),
    ]);
    expect(frozen.status).toBe(200);
    expect(await redeem(walletId, consumer)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });

    const issued = confirms.filter(({ status }) => status === 200);
    const refused = confirms.filter(({ status }) => status === 403);
    expect(issued.length + refused.length).toBe(confirms.length);
    expect(await stateOf(walletId)).toEqual({
      balance: 1000,
      status: 'frozen',
    });
    const codes = await db('redemptions').where({ walletId });
    expect(codes.map(({ status }) => status)).toEqual(issued.map(() => 'expired'));
  });

  it('a debit and redemptions at once never exceed the balance', async () => {
    const { consumer, walletId } = await aRedeemableWallet(50);
    const answers = await Promise.all([
      adjust(walletId, -30),
      ...Array.from({ length: 8 }, () => redeem(walletId, consumer)),
    ]);
    const [adjusted, ...confirms] = answers;
    const issued = confirms.filter(({ status }) => status === 200).length;
    const taken = adjusted.status === 200 ? 30 : 0;
    expect(answers.every(({ status }) => [200, 422].includes(status))).toBe(true);
    expect(await stateOf(walletId)).toMatchObject({ balance: 50 - taken - 10 * issued });
    expect(issued).toBe(taken === 30 ? 2 : 5);
  });
});

it.each(['client', 'pos_operator', 'consumer'] as const)(
  '403 INSUFFICIENT_ROLE for a %s',
  async (role) => {
    const walletId = await aWallet(db, { balance: 10 });
    const other = (await app.signIn({ role })).token;
    for (const action of ['freeze', 'unfreeze', 'adjust']) {
      expect(await ask('POST', at(walletId, action), { token: other })).toMatchObject({
        status: 403,
        body: { code: 'INSUFFICIENT_ROLE' },
      });
    }
    expect(await stateOf(walletId)).toEqual({ balance: 10, status: 'active' });
  },
);

/** Counts the statements of this database that wait for a lock. */
async function waiting(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}
