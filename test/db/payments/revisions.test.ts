import { describe, expect, it } from 'vitest';
import * as batchWrite from '../../../db/payments/batch-write.ts';
import * as revisions from '../../../db/payments/revisions.ts';
import type { PaymentId, TenantId } from '../../../domain/ids.ts';
import { countStatements } from '../../support/database/count-statements.ts';
import { aTenant, aWallet, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment, aNewPayment } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

const rowOf = async (id: PaymentId) => required(await db('payments').where({ id }).first());

/** An anonymous payment with these fingerprints. */
async function anAnonymous(
  tenantId: TenantId,
  fingerprints: { emailFingerprint?: Buffer; phoneFingerprint?: Buffer } = {},
): Promise<PaymentId> {
  const of = { tenantId, userId: null, ruleVersion: null, points: 0 };
  const payment = aNewPayment({ ...of, outcome: 'stored_anonymous', ...fingerprints });
  await db.transaction((tx) => batchWrite.storeBatch(tx, [payment], []));
  return payment.id;
}

/** Whether somebody else could lock the payment at this moment. */
async function isFree(id: PaymentId): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select from payments where id = :id for no key update skip locked',
    { id },
  );
  return rows.length > 0;
}

describe('lock', () => {
  it('returns payments by their ids, and holds them', async () => {
    const walletId = await aWallet(db);
    const one = await aCreditedPayment(db, walletId, 5);
    const other = await anAnonymous((await rowOf(one)).tenantId);
    await db.transaction(async (tx) => {
      const locked = await revisions.lock(tx, [other, one, other]);
      expect(locked.get(one)).toMatchObject({ id: one, walletId });
      expect(locked.get(other)).toMatchObject({ id: other, walletId: null });
      expect(locked.size).toBe(2);
      expect(await isFree(one)).toBe(false);
    });
    expect(await isFree(one)).toBe(true);
  });
});

describe('confirmRefunded', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 11, minute));
  const confirm = (...confirmed: revisions.ConfirmedRefund[]) =>
    db.transaction((tx) => revisions.confirmRefunded(tx, confirmed));

  it('records the newest report of the same sum, and no older one', async () => {
    const id = await anAnonymous(await aTenant(db));
    const same = { id, refundedMinorUnits: 0 };
    expect(await confirm({ ...same, asOf: at(2) }, { ...same, asOf: at(3) })).toEqual(new Set());
    expect((await rowOf(id)).refundedAsOf).toEqual(at(3));
    expect(await confirm({ ...same, asOf: at(1) })).toEqual(new Set());
    expect((await rowOf(id)).refundedAsOf).toEqual(at(3));
  });

  it('returns those that somebody else holds, without waiting', async () => {
    const id = await anAnonymous(await aTenant(db));
    await db.transaction(async (tx) => {
      await revisions.lock(tx, [id]);
      const confirmed = { id, refundedMinorUnits: 0, asOf: at(3) };
      expect(await confirm(confirmed)).toEqual(new Set([id]));
    });
  });

  it('returns those whose sum has changed meanwhile, and leaves them', async () => {
    const tenantId = await aTenant(db);
    const [same, changed] = [await anAnonymous(tenantId), await anAnonymous(tenantId)];
    const { refundedAsOf } = await rowOf(changed);
    const wrong = { id: changed, refundedMinorUnits: 7, asOf: at(1) };
    const right = { id: same, refundedMinorUnits: 0, asOf: at(1) };
    expect(await confirm(wrong, right)).toEqual(new Set([changed]));
    expect((await rowOf(changed)).refundedAsOf).toEqual(refundedAsOf);
    expect((await rowOf(same)).refundedAsOf).toEqual(at(1));
  });
});

describe('recordRefunded', () => {
  it('records sums, and the times that they are of', async () => {
    const tenantId = await aTenant(db);
    const [one, other] = [await anAnonymous(tenantId), await anAnonymous(tenantId)];
    const asOfMs = Date.UTC(2026, 0, 16);
    const sums = new Map([
      [one, { minorUnits: 5, asOfMs: asOfMs + 1 }],
      [other, { minorUnits: 6, asOfMs }],
    ]);
    await db.transaction((tx) => revisions.recordRefunded(tx, sums));
    const [refundedAsOf, later] = [new Date(asOfMs), new Date(asOfMs + 1)];
    expect(await rowOf(one)).toMatchObject({ refundedMinorUnits: 5, refundedAsOf: later });
    expect(await rowOf(other)).toMatchObject({ refundedMinorUnits: 6, refundedAsOf });
  });
});

it('no change of payments takes a statement when there are none', async () => {
  expect(await countStatements(db, (tx) => revisions.recordMatches(tx, []))).toBe(0);
  expect(await countStatements(db, (tx) => revisions.recordRefunded(tx, new Map()))).toBe(0);
  expect(await countStatements(db, (tx) => revisions.confirmRefunded(tx, []))).toBe(0);
});

describe('listAnonymous and purgeFingerprints', () => {
  const [email, phone] = [Buffer.from('e1', 'hex'), Buffer.from('f1', 'hex')];

  it('find payments by either contact for 30 days, page by page', async () => {
    const tenantId = await aTenant(db);
    const byEmail = await anAnonymous(tenantId, { emailFingerprint: email });
    const byPhone = await anAnonymous(tenantId, { phoneFingerprint: phone });
    const old = await anAnonymous(tenantId, { emailFingerprint: email });
    await db('payments')
      .where({ id: old })
      .update({ createdAt: db.raw(`now() - interval '31 days'`) });
    const list = async (
      contacts: { emails: Buffer[]; phones: Buffer[] },
      page: { limit: number; after: PaymentId | null } = { limit: 10, after: null },
    ) =>
      (await revisions.listAnonymous(db, contacts, page)).map(({ id, emailHex, phoneHex }) => {
        return { id, emailHex, phoneHex };
      });
    const first = { id: byEmail, emailHex: email.toString('hex'), phoneHex: null };
    const second = { id: byPhone, emailHex: null, phoneHex: 'f1' };
    const both = { emails: [email], phones: [phone] };
    expect(await list(both)).toEqual([first, second]);
    expect(await list({ emails: [email], phones: [] })).toEqual([first]);
    expect(await list({ emails: [], phones: [phone] })).toEqual([second]);
    expect(await list(both, { limit: 1, after: null })).toEqual([first]);
    expect(await list(both, { limit: 1, after: byEmail })).toEqual([second]);

    expect(await revisions.purgeFingerprints(db, 10)).toBe(1);
    expect(await rowOf(old)).toMatchObject({ emailFingerprint: null });
    expect(await rowOf(byEmail)).toMatchObject({ emailFingerprint: email });
  });
});
