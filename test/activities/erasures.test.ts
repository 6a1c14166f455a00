import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { createErasureActivities, erasePerson } from '../../activities/erasures.ts';
import { ingestListedPayments } from '../../activities/ingestion/decide/ingest-payments.ts';
import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import { decideAgain } from '../../activities/ingestion/revise/decide-again.ts';
import { byUser } from '../../db/audit-log.ts';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import * as payments from '../../db/payments/payments.ts';
import * as erasing from '../../db/users/erasing.ts';
import * as erasures from '../../db/users/erasures.ts';
import { numberOf, rotate } from '../../db/users/members.ts';
import { setLanguage } from '../../db/users/own-data.ts';
import { signIn } from '../../db/users/users.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { WalletProof } from '../../domain/wallet-proof.ts';
import { checkProof } from '../../gateways/crypto/proof-check.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { holdUpPayments } from '../support/database/gate.ts';
import { occursIn, textOfTables } from '../support/database/table-texts.ts';
import {
  type AlphaPaymentOptions,
  aDebit,
  anAlphaConnection,
  anAlphaEvent,
  aProgramme,
  aRule,
  aTenant,
  aWallet,
  postByHand,
  required,
  storedEvents,
  testPolicy,
  testSealer,
} from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';
import { hearing, streamsOf } from '../support/http/streams.ts';
import { aSale } from '../support/points/a-sale.ts';
import { anImportingShop, runImports } from '../support/points/imports.ts';
import { aTill } from '../support/points/payments.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { createMemoryStore, signAll } from '../support/points/statements.ts';

const objects = createMemoryStore();
const app = await useApp({ objects });
const { db, owner } = app;
const log = createLogger({ level: 'silent', service: 'test' });
const recognising = { proofs: testSealer.fingerprints, fingerprints: testPolicy.fingerprints };
const deps = { db, log, contactProofs: recognising.proofs, ingestPolicy: testPolicy };
const { eraseDue } = createErasureActivities(deps);

let tenantId: TenantId;
let email: string;
let ada: SignedIn;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await db('tenants').where({ id: tenantId }).update({ currency: 'USD', tellsEvents: true });
  await aRule(db, tenantId);
  email = `ada.${randomUUID()}@example.com`;
  ada = await app.signIn({ role: 'consumer', email, name: 'Ada Lovelace' });
});

const PATH = '/api/v1/consumer/erasure';
const ask = () =>
  app.call({ method: 'POST', path: PATH, token: ada.token, body: { confirm: 'ERASE' } });
const isDue = () =>
  db('erasures').where({ userId: ada.userId, withdrawnAt: null }).update({ beginsAt: db.fn.now() });
async function asked(): Promise<erasures.Erasure> {
  expect((await ask()).status).toBe(202);
  await isDue();
  return required(await erasures.find(db, ada.userId));
}
const erase = async () => erasePerson(deps, await asked());
const sell = async (some: Partial<NormalizedPayment> = {}) => {
  const sale = aSale({ email, currency: 'USD', amountMinorUnits: 1_000, ...some });
  await report(sale);
  return sale;
};
const report = (payment: NormalizedPayment) =>
  ingestListedPayments(db, [{ tenantId, payment }], testPolicy);
const refund = (sale: NormalizedPayment, refundedMinorUnits: number, later: number) =>
  report({ ...sale, refundedMinorUnits, changedAt: new Date(Date.now() + later * 1_000) });
const wallet = async () => required(await db('wallets').where({ userId: ada.userId }).first());
const paid = async () => required(await db('payments').where({ tenantId }).first());
const bodies = async () => (await db('webhook_bodies').select('id')).length;
async function inEuros(): Promise<TenantId> {
  await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
  return tenantId;
}
/** An account of the tenant, each report of which is ingested. */
async function aMerchant(of: TenantId): Promise<(payment: AlphaPaymentOptions) => Promise<void>> {
  const merchantId = `MERCHANT_${randomUUID()}`;
  await anAlphaConnection(db, { tenantId: of, merchantId });
  return async (payment) => {
    const events = await storedEvents(db, merchantId, [anAlphaEvent(merchantId, payment)]);
    await ingestEventBatch(db, events, new Map(), testPolicy);
  };
}
const userRow = async () => required(await db('users').where({ id: ada.userId }).first());

describe('an erasure', () => {
  it('leaves no value of the person in any table, and a history that can be proved', async () => {
    const receive = await aTill(db, await inEuros());
    const inviter = await app.signIn({ role: 'client', member: tenantId });
    await receive({ amount: 1_000, email, createdAt: new Date() });
    const { id: walletId }: { id: WalletId } = await wallet();
    await signAll(db, objects, '2026-01-15');
    const proof = WalletProof.parse(
      (await app.call({ path: `/api/v1/consumer/wallets/${walletId}/proof`, token: ada.token }))
        .body,
    );
    const { id: codeId } = await aRedemption(db, { walletId, points: 30 });
    const memberNumber = await numberOf(db, ada.userId);
    for (const key of ['first', 'again']) {
      const path = `/api/v1/client/tenants/${tenantId}/store-operator-invites`;
      const headers = { 'idempotency-key': key };
      const asked = { method: 'POST', path, token: inviter.token, body: { email }, headers };
      expect((await app.call(asked)).status).toBe(200);
    }
    await setLanguage(db, ada.userId, 'de');
    const { iss, sub, language } = await userRow();
    expect(language).toBe('de');
    expect(await erase()).toBe(true);
    await setLanguage(db, ada.userId, 'en');

    const tables = await textOfTables(db);
    for (const value of [email, 'Ada Lovelace', memberNumber, sub]) {
      expect.soft(occursIn(tables, value), value).toBe(false);
    }
    expect(await userRow()).toMatchObject({
      iss: 'erased',
      email: null,
      language: null,
      status: 'suspended',
    });
    expect(iss).toBe(app.issuer.url);
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0, status: 'frozen' });
    expect((await wallet()).closedAt).not.toBeNull();
    expect(await db('redemptions').where({ id: codeId }).first('status', 'pointsReturned')).toEqual(
      { status: 'expired', pointsReturned: true },
    );
    expect(await db('invites').where({ tenantId }).first('status')).toEqual({
      status: 'withdrawn',
    });
    expect(await bodies()).toBe(0);
    const entries = await db('audit_log').where({ targetId: walletId, action: 'wallet.adjust' });
    expect(entries).toMatchObject([
      { actor: 'ops', reason: 'erased', after: { balance: 0, points: -1_000 } },
    ]);
    expect(checkProof(proof).problems).toEqual([]);
  });

  it('refuses tokens of before, and gives nothing to who signs in later', async () => {
    await sell();
    await erase();
    const { sub } = decodeJwt(ada.token);
    for (const path of ['/api/v1/auth/me', '/api/v1/consumer/wallets']) {
      expect(await app.call({ path, token: ada.token })).toMatchObject({
        status: 401,
        body: { issues: [{ code: 'token_invalid' }] },
      });
    }
    const iat = Math.floor(Date.now() / 1_000) + 2;
    const token = await app.issuer.token({ sub, email, email_verified: true, iat });
    const { status, body } = await app.call({ path: '/api/v1/consumer/wallets', token });
    expect({ status, body }).toEqual({ status: 200, body: [] });
    expect(await db('users').where({ email }).select('id')).not.toEqual([{ id: ada.userId }]);
    // Its earlier token is of the one who was erased, and of nobody else's account.
    expect((await app.call({ path: '/api/v1/auth/me', token })).status).toBe(200);
  });

  it('makes nobody an administrator again whom the configuration made one before', async () => {
    const address = `mary.${randomUUID()}@staff.example`;
    const policy = {
      adminEmailDomain: 'staff.example',
      bootstrapAdminEmails: [address],
      proofs: recognising.proofs,
      requestId: 'test',
    };
    const roleOf = async (sub: string) => {
      const contacts = { email: address, emailVerified: true, phone: null, phoneVerified: false };
      const claims = { iss: 'https://issuer.test', sub, name: null, clientIntent: false };
      return (await signIn(db, { ...claims, ...contacts }, policy)).role;
    };
    expect(await roleOf('before')).toBe('admin');
    const [{ id: userId }] = await db('users').where({ email: address }).select('id');
    await db('users').where({ id: userId }).update({ role: 'consumer' });
    const asking = { userId, acting: byUser(userId, 'test'), reason: null, points: 0 };
    const { erasure } = await db.transaction((tx) => erasures.request(tx, asking));
    expect(await erasePerson(deps, erasure)).toBe(true);
    expect(occursIn(await textOfTables(db), address)).toBe(false);
    expect(await roleOf('after')).toBe('consumer');
    expect((await verifyLedger(db)).violations).toEqual([]);
  });

  it('writes off what a refund would take later, and lowers that when it fails', async () => {
    const sale = await sell();
    await erase();
    await refund(sale, 500, 1);
    expect(await paid()).toMatchObject({ pointsReversed: 0, pointsWrittenOff: 500, pointsOwed: 0 });
    await refund(sale, 200, 2);
    expect(await paid()).toMatchObject({ pointsReversed: 0, pointsWrittenOff: 200 });
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
  });

  it('gives nothing back of a refund from before that fails later', async () => {
    const sale = await sell();
    await refund(sale, 400, 1);
    await erase();
    await refund(sale, 0, 2);
    expect(await paid()).toMatchObject({ pointsReversed: 400, pointsWrittenOff: 0 });
    await refund(sale, 0, 2);
    expect(await wallet()).toMatchObject({ balance: 0 });
  });

  it('writes off what is owed', async () => {
    const sale = await sell();
    const { id } = await wallet();
    await db.transaction((tx) => postByHand(tx, [aDebit(id, 900)]));
    await refund(sale, 1_000, 1);
    expect(await wallet()).toMatchObject({ balance: 0, owed: 900 });
    await erase();
    expect(await wallet()).toMatchObject({ balance: 0, owed: 0 });
    expect(await paid()).toMatchObject({ pointsReversed: 100, pointsWrittenOff: 900 });
  });

  it('leaves no point waiting for the end of a return window', async () => {
    await aProgramme(db, tenantId, { returnWindowDays: 14 });
    await sell();
    const [{ id: walletId }, { id }] = [await wallet(), await paid()];
    expect(await wallets.get(db, walletId)).toMatchObject({ pending: 1_000 });
    await erase();
    expect(await wallets.get(db, walletId)).toMatchObject({ pending: 0, nextRelease: null });
    expect(await payments.find(db, tenantId, id)).toMatchObject({ release: null });
  });

  it('waits for a sale of the person that is being stored, and takes its points', async () => {
    const gate = await holdUpPayments({ db, owner }, tenantId);
    const selling = sell({ providerCustomerId: 'CUST_1' });
    await expect.poll(() => gate.countWaiting()).toBe(1);
    const erasing = erase();
    await expect.poll(async () => (await userRow()).iss).toBe('erased');
    await gate.open(selling);
    expect(await erasing).toBe(true);
    expect(await wallet()).toMatchObject({ balance: 0, status: 'frozen', seq: 2 });
    expect(await paid()).toMatchObject({ userId: ada.userId, providerCustomerId: null });
  });

  it('empties what merchants asked for the person, also in answers that are kept', async () => {
    await aWallet(db, { tenantId, userId: ada.userId });
    const { token } = await app.signIn({ role: 'client', member: tenantId });
    const shop = `/api/v1/client/tenants/${tenantId}`;
    const reason = `She waited ${randomUUID()}.`;
    const post = async (path: string, body?: object) => {
      const headers = { 'idempotency-key': 'once' };
      const answer = await app.call({ method: 'POST', path: shop + path, token, headers, body });
      return answer.json<{ id: string }>().id;
    };
    const asking = `/consumers/${ada.userId}/goodwill-requests`;
    const id = await post(asking, { points: 20, reason });
    await post(`/goodwill-requests/${id}/withdraw`);
    expect(occursIn(await textOfTables(db), reason)).toBe(true);
    await erase();
    expect(occursIn(await textOfTables(db), reason)).toBe(false);
  });

  it('leaves sales as they are that would be decided again', async () => {
    await sell({ currency: 'EUR' });
    await erase();
    await db('tenants').where({ id: tenantId }).update({ currency: 'EUR' });
    expect(await decideAgain(db, tenantId, 'reverse')).toMatchObject({ payments: 0, failed: [] });
  });

  it('goes on where it was killed, and does everything once when run twice at once', async () => {
    await sell();
    await aWallet(db, { userId: ada.userId, tenantId: await aTenant(db), balance: 70 });
    const erasure = await asked();
    await db.transaction((tx) => erasing.begin(tx, erasure));
    await db.transaction((tx) => erasing.forget(tx, ada.userId, recognising));
    const [first] = await erasing.listWallets(db, ada.userId);
    // By a night that had read of the person before.
    const kept = { tierKey: 'gold', since: '2026-01-01', keptUntil: '2027-01-01' };
    const standing = { ...kept, tenantId, decidedOn: '2026-01-01' };
    await db('wallet_standings').insert({ walletId: (await wallet()).id, ...standing });
    await db.transaction((tx) => erasing.closeWallet(tx, required(first)));
    await Promise.all([erasePerson(deps, erasure), erasePerson(deps, erasure)]);
    const left = await db('wallets').where({ userId: ada.userId }).select('balance', 'seq');
    expect(left).toEqual([
      { balance: 0, seq: 2 },
      { balance: 0, seq: 2 },
    ]);
    expect(await db('wallet_standings').where({ tenantId })).toEqual([]);
    const done = await db('audit_log').where({ targetId: ada.userId }).orderBy('seq');
    expect(done.map(({ after }) => after.status)).toEqual(['scheduled', 'erased']);
  });

  it('drops what imports keep for the person, and a revert takes nothing', async () => {
    const shop = await anImportingShop(app);
    const phone = '+4915123456788';
    const brought = await shop.bring(`${email},,50`);
    const waits = await shop.bring('b@x.test,,7', `,${phone},3`);
    const { id: draft } = (await shop.upload('b@x.test,,9')).json<{ id: string }>();
    const erasure = await asked();
    // Contacts that were verified just now: nobody has looked for their rows yet.
    const verified = { email: 'b@x.test', phone, phoneVerified: true };
    await db('users').where({ id: ada.userId }).update(verified);
    await erasePerson(deps, erasure);
    const rows = db('import_rows').whereIn('importId', [waits, draft]);
    const dropped = { state: 'dropped', fingerprint: null, userId: null };
    expect(await rows.select('state', 'fingerprint', 'userId')).toEqual([
      dropped,
      dropped,
      dropped,
    ]);
    expect(await shop.show(waits)).toMatchObject({ waiting: 0 });
    await shop.revert(brought);
    await runImports(db);
    expect(await shop.show(brought)).toMatchObject({ status: 'reverted', notTaken: 50 });
    expect(await wallet()).toMatchObject({ balance: 0, seq: 2 });
  });

  it('ends the streams of the person with it', async () => {
    const listener = await hearing(app);
    const streams = streamsOf(app);
    const stream = await streams.open('/consumer/events', ada.token);
    await erase();
    // Without a word of it they would be looked at after half a minute.
    await expect.poll(stream.isEnded, { timeout: 15_000 }).toBe(true);
    await streams.closeAll();
    await listener.close();
  });

  it('lets no request in flight make a member number', async () => {
    await erase();
    await expect(numberOf(db, ada.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await rotate(db, ada.userId)).toBeUndefined();
  });

  it('forgets what reports a refund of theirs later', async () => {
    const receive = await aTill(db, await inEuros());
    const sale = { id: `PAY_${randomUUID()}`, amount: 1_000, email, createdAt: new Date() };
    await receive(sale);
    await erase();
    const before = await bodies();
    await receive({ ...sale, refunded: 100, updatedAt: new Date() });
    expect(await bodies()).toBe(before + 1);
    await db('erasures').where({ userId: ada.userId }).update({ doneAt: db.fn.now() });
    await eraseDue();
    expect(await bodies()).toBe(before);
  });

  it.each([
    { reports: ['APPROVED', 'COMPLETED'] },
    { reports: ['COMPLETED', 'APPROVED'] },
    { reports: ['APPROVED', 'COMPLETED', 'CANCELED'] },
  ])('forgets what reports a sale of theirs as $reports, and no other', async ({ reports }) => {
    const sale = { id: `PAY_${randomUUID()}`, email, createdAt: new Date() };
    const shop = await aMerchant(await inEuros());
    const otherShop = await aMerchant(await aTenant(db));
    await shop({ ...sale, id: `PAY_${randomUUID()}`, status: 'APPROVED' });
    await otherShop({ ...sale, status: 'APPROVED' });
    const before = await bodies();
    for (const status of reports) await shop({ ...sale, status });
    expect(await bodies()).toBe(before + reports.length);
    await erase();
    expect(await bodies()).toBe(before);
  });
});
