import { beforeEach, describe, expect, it } from 'vitest';
import { tellMonth } from '../../../activities/expiry/tell-month.ts';
import { byOps } from '../../../db/audit-log.ts';
import { findMonths } from '../../../db/tenants/expiry-runs.ts';
import { reinstate, suspend } from '../../../db/tenants/status.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { monthOf, monthText, startOfMonth } from '../../../domain/intervals.ts';
import { MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { asEarnedAt } from '../../support/database/rewritten-ledger.ts';
import {
  aCredit,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
  type UserOptions,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db, owner } = await useDatabase();
const now = monthOf(new Date(), 'UTC');
const next = now + 1;
const lastMonth = startOfMonth(now - 1, 'UTC');
const urls = { objectsUrl: 'https://objects.example', frontendUrl: 'https://app.example' };

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  await aProgramme(db, tenantId, { validityMonths: 1, publishedAt: startOfMonth(now - 2, 'UTC') });
  await aRule(db, tenantId, { minBalanceToRedeem: 70 });
});

type Mail = Parameters<Mailer['send']>[0];
const sent: Mail[] = [];
beforeEach(() => void sent.splice(0));
const mailer = (fails?: (mail: Mail) => Error | undefined): Mailer => ({
  async send(mail) {
    const error = fails?.(mail);
    if (error !== undefined) throw error;
    sent.push(mail);
  },
  async close() {},
});
const tell = async (month = next, sending = mailer()) =>
  tellMonth({ db, mailer: sending, ...urls }, { tenantId, month });
const aCustomer = async (points: number, user: UserOptions = {}) =>
  aWallet(db, { tenantId, balance: points, userId: await aUser(db, user) });
const isTold = async () => required(await findMonths(db, tenantId)).told.has(next);

describe('the notice of a month', () => {
  it('names only what its own end takes, not what an earlier one has taken by then', async () => {
    const walletId = await aCustomer(100, { email: 'ada@example.com' });
    await asEarnedAt(owner, { walletId, seq: 1 }, lastMonth);
    await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 50)]));
    const all = await aCustomer(30, { email: 'bob@example.com' });
    await asEarnedAt(owner, { walletId: all, seq: 1 }, lastMonth);
    expect(await tell(now)).toEqual({ told: 2, waiting: 0 });
    sent.splice(0);
    expect(await tell()).toEqual({ told: 1, waiting: 0 });
    expect(sent).toMatchObject([{ subject: '50 points at Corner Café expire soon' }]);
  });

  it('tells each customer once what it will take', async () => {
    const walletId = await aCustomer(125, { email: 'ada@example.com' });
    await aCustomer(1, { email: 'bob@example.com', language: 'de' });
    expect(await tell(now)).toEqual({ told: 0, waiting: 0 });
    expect(await tell()).toEqual({ told: 2, waiting: 0 });
    expect(await tell()).toEqual({ told: 0, waiting: 0 });
    const mail = required(sent.find(({ to }) => to === 'ada@example.com'));
    expect(mail.subject).toBe('125 points at Corner Café expire soon');
    expect(sent.find(({ to }) => to === 'bob@example.com')).toMatchObject({
      subject: '1 Punkt bei Corner Café verfällt bald',
    });
    expect(mail.text).toContain('125 points at Corner Café expire at the end of');
    expect(mail.text).toContain(`https://app.example/wallet/wallets/${walletId}`);
    expect(mail.messageId).toBe(`points-expire-${walletId}-${monthText(next)}`);
    expect(await isTold()).toBe(true);
  });

  it('is for nobody who cannot be told, or has nothing to lose', async () => {
    await aCustomer(10, { emailVerified: false });
    await aCustomer(10, { status: 'suspended' });
    await aCustomer(0);
    expect(await tell()).toEqual({ told: 0, waiting: 0 });
    expect(sent).toEqual([]);
  });

  it('is sent again if it was not sent, and not to an address that is refused', async () => {
    await aCustomer(10, { email: 'late@example.com' });
    await aCustomer(10, { email: 'gone@example.com' });
    const failing = mailer(
      ({ to }) => new MailError(`Not sent to ${to}`, to === 'late@example.com', true),
    );
    expect(await tell(next, failing)).toEqual({ told: 1, waiting: 1 });
    expect(await isTold()).toBe(false);
    expect(await tell()).toEqual({ told: 1, waiting: 0 });
    expect(sent.map(({ to }) => to)).toEqual(['late@example.com']);
    expect(await isTold()).toBe(true);
  });

  it('is the same mail, by its id, for those whom two runs tell at the same moment', async () => {
    for (const name of ['ada', 'bob', 'cy']) await aCustomer(10, { email: `${name}@example.com` });
    const runs = await Promise.all([tell(), tell()]);
    for (const { waiting } of runs.map(required)) expect(waiting).toBe(0);
    const mails = new Set(sent.map(({ to, messageId }) => `${to} ${messageId}`));
    expect(mails.size).toBe(3);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
    expect(await isTold()).toBe(true);
    expect(await tell()).toEqual({ told: 0, waiting: 0 });
  });

  it('is not given while nothing would be taken, and is after that', async () => {
    const shop = await aTenant(db);
    await aProgramme(db, shop, { validityMonths: 1, publishedAt: startOfMonth(now - 2, 'UTC') });
    await aWallet(db, { tenantId: shop, balance: 10 });
    const deps = { db, mailer: mailer(), ...urls };
    const asked = { tenantId: shop, month: next };
    expect(await tellMonth(deps, asked)).toEqual({ told: 0, waiting: 0 });
    expect(required(await findMonths(db, shop)).told.size).toBe(0);
    await aRule(db, shop);
    expect(await tellMonth(deps, asked)).toEqual({ told: 1, waiting: 0 });
  });

  it('is given of a month that ends more than 14 days after a reinstatement', async () => {
    await aCustomer(10, { email: 'ada@example.com' });
    const act = { acting: byOps(), reason: null };
    await suspend(db, tenantId, act);
    expect(await tell()).toEqual({ told: 0, waiting: 0 });
    await reinstate(db, tenantId, act);
    expect(await tell()).toEqual({ told: 1, waiting: 0 });
  });

  it('is nothing at a shop without a programme', async () => {
    const plain = await aTenant(db);
    const deps = { db, mailer: mailer(), ...urls };
    expect(await tellMonth(deps, { tenantId: plain, month: next })).toBeUndefined();
  });
});

describe('a rule by which less can be redeemed', () => {
  const tightened = async () => required(await findMonths(db, tenantId)).tightenedAt;

  it('is noticed by its minimum or its share, compared with the rule in effect', async () => {
    await aRule(db, tenantId, { minBalanceToRedeem: 50 });
    expect(await tightened()).toBeNull();
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await aRule(db, tenantId, { minBalanceToRedeem: 60, effectiveFrom: ahead });
    expect(await tightened()).toBeInstanceOf(Date);
  });

  it('is noticed by its share', async () => {
    await aRule(db, tenantId, { maxRedemptionPercentage: 100 });
    await aRule(db, tenantId, { maxRedemptionPercentage: 50 });
    expect(await tightened()).toBeInstanceOf(Date);
  });
});
