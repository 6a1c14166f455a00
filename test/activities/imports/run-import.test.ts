import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { ingestListedPayments } from '../../../activities/ingestion/decide/ingest-payments.ts';
import { createFingerprintActivities } from '../../../activities/ingestion/revise/signups.ts';
import { notePoints, tellOfPoints } from '../../../activities/telling/points.ts';
import * as dueWork from '../../../db/due-work.ts';
import type { Mail } from '../../../gateways/mail/mailer.ts';
import { expectWhole } from '../../support/database/ledger-check.ts';
import {
  aCredit,
  aDebit,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
  testPolicy,
} from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { aSale } from '../../support/points/a-sale.ts';
import {
  anImportingShop,
  type ImportingShop,
  matchContacts,
  runImports,
  type ShownImport,
} from '../../support/points/imports.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const app = await useApp();
const { db } = app;

let shop: ImportingShop;
beforeEach(async () => {
  shop = await anImportingShop(app);
});

const anAddress = () => `${randomUUID()}@example.com`;
const aMember = async (email = anAddress()) => {
  const userId = await aUser(db, { email, emailVerified: true });
  return { email, userId };
};
const balanceOf = async (userId: string) => {
  const wallet = await db('wallets')
    .where({ userId, tenantId: shop.tenantId })
    .first<{ balance: number } | undefined>('balance');
  return wallet?.balance;
};
const statesOf = async (importId: string): Promise<(string | null)[]> =>
  (await db('import_rows').where({ importId }).orderBy('line').select('state')).map(
    ({ state }: { state: string | null }) => state,
  );

it('greets by mail who was brought over, once, and as what it is', async () => {
  const { email, userId } = await aMember();
  await shop.bring(`${email},,120`);
  // They use some of it before the mail is written.
  const walletId = await aWallet(db, { userId, tenantId: shop.tenantId });
  await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 100)]));
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: async () => {} };
  const deps = activityDeps(db, { mailer });
  const tick = async () => {
    await notePoints(db, 0);
    await db('due_work').where({ kind: 'tell_of_points' }).update({ dueAt: db.fn.now() });
    await doWork(deps, tellOfPoints(deps));
  };
  await expect.poll(async () => [await tick(), mails.length]).toEqual([undefined, 1]);
  expect(mails[0]?.to).toBe(email);
  const text = mails[0]?.text.replaceAll(/\s+/g, ' ');
  expect(text).toContain('has brought over what you had collected there before');
  expect(text).not.toContain('you have 120 points');
});

describe('an import that was approved', () => {
  it('adjusts the wallets of those who are known, once, as its approver', async () => {
    const { email, userId } = await aMember();
    const { email: other, userId: otherId } = await aMember();
    const held = await aWallet(db, { userId: otherId, tenantId: shop.tenantId, balance: 5 });
    const late = anAddress();
    const id = await shop.bring(`${email},,120`, `${other},,30`, `${late},,7`, `${email},,9`);

    expect(await shop.show(id)).toMatchObject({
      status: 'done',
      rows: 4,
      points: 166,
      matched: 2,
      waiting: 1,
      repeated: 1,
      notTaken: 0,
    });
    expect([await balanceOf(userId), await balanceOf(otherId)]).toEqual([120, 35]);
    const row = required(await db('import_rows').where({ walletId: held }).first());
    expect(row).toMatchObject({ state: 'credited', fingerprint: null, userId: null });
    expect(await db('audit_log').where({ id: row.id }).first()).toMatchObject({
      action: 'wallet.adjust',
      actor: 'user',
      reason: `import ${id}`,
      targetId: held,
      before: { balance: 5 },
      after: { balance: 35, points: 30, importId: id },
    });

    await dueWork.note(db, 'run_import', [row.importId]);
    await runImports(db);
    expect(await balanceOf(userId)).toBe(120);
  });

  it('credits whoever verifies a contact afterwards, or before its turn', async () => {
    const [early, late] = [anAddress(), anAddress()];
    const draft = (await shop.upload(`${early},,10`, `${late},,20`)).json<ShownImport>();
    const first = await aMember(early);
    await matchContacts(db);
    await shop.approve(draft.id, 30);
    const between = await aMember(late);
    await runImports(db);
    expect(await statesOf(draft.id)).toEqual(['credited', 'waiting']);
    await matchContacts(db);
    expect(await statesOf(draft.id)).toEqual(['credited', 'credited']);
    expect([await balanceOf(first.userId), await balanceOf(between.userId)]).toEqual([10, 20]);
    expect(await shop.show(draft.id)).toMatchObject({ matched: 2, waiting: 0, repeated: 0 });
  });

  it('brings a person once who matches two rows, also of a later import', async () => {
    const [email, phone] = [anAddress(), '+4915123456789'];
    const id = await shop.bring(`,${phone},50`, `${email},,60`);
    expect(await statesOf(id)).toEqual(['waiting', 'waiting']);
    const later = await shop.bring(`${email},,60`, `,0151 23456789,1`);
    expect(await statesOf(later)).toEqual(['repeated', 'repeated']);

    const userId = await aUser(db, { email, emailVerified: true, phone, phoneVerified: true });
    await matchContacts(db);
    expect(await statesOf(id)).toEqual(['credited', 'repeated']);
    expect(await balanceOf(userId)).toBe(50);
    expect(await shop.show(id)).toMatchObject({ matched: 1, waiting: 0, repeated: 1 });
    const third = await shop.bring(`${email},,60`);
    expect(await shop.show(third)).toMatchObject({ matched: 0, repeated: 1 });
  });

  it('counts before a later one, also while a row of it is left to a later turn', async () => {
    const { email, userId } = await aMember();
    const walletId = await aWallet(db, { userId, tenantId: shop.tenantId });
    const first = (await shop.upload(`${email},,50`)).json<ShownImport>();
    await shop.approve(first.id, 50);
    await db.transaction(async (tx) => {
      await tx('wallets').where({ id: walletId }).forUpdate().first();
      await runImports(db);
    });
    expect(await statesOf(first.id)).toEqual([null]);
    const second = await shop.bring(`${email},,9`);
    expect(await statesOf(second)).toEqual(['repeated']);
    await db('due_work').where({ kind: 'run_import' }).update({ dueAt: db.fn.now() });
    await runImports(db);
    expect(await statesOf(first.id)).toEqual(['credited']);
    expect(await balanceOf(userId)).toBe(50);
  });

  it('waits for an e-mail for twelve months and for a phone for 90 days', async () => {
    const id = await shop.bring(`${anAddress()},,1`, ',+4915123456780,1');
    const rows = await db('import_rows')
      .where({ importId: id })
      .orderBy('line')
      .select('waitsUntil');
    const { approvedAt } = required(await db('imports').where({ id }).first());
    const days = rows.map(({ waitsUntil }) => Math.round((waitsUntil - approvedAt) / 86_400_000));
    expect(days).toEqual([expect.toBeOneOf([365, 366]), 90]);
  });

  it('drops who has not signed up in time, with the contact', async () => {
    const late = anAddress();
    const id = await shop.bring(`${late},,9`);
    await db('import_rows').where({ importId: id }).update({ waitsUntil: db.fn.now() });
    const { userId } = await aMember(late);
    await matchContacts(db);
    expect(await balanceOf(userId)).toBeUndefined();
    await createFingerprintActivities({ db }).deleteFingerprints();
    expect(await db('import_rows').where({ importId: id })).toMatchObject([
      { state: 'dropped', fingerprint: null },
    ]);
    expect(await shop.show(id)).toMatchObject({ matched: 0, waiting: 0 });
  });

  it('a wallet that can hold no more drops its row, and stops no other', async () => {
    const [full, other] = [await aMember(), await aMember()];
    const wallet = await aWallet(db, { userId: full.userId, tenantId: shop.tenantId });
    await db.transaction((tx) => postByHand(tx, [aCredit(wallet, Number.MAX_SAFE_INTEGER - 5)]));
    const id = await shop.bring(`${full.email},,6`, `${other.email},,6`);
    expect(await statesOf(id)).toEqual(['dropped', 'credited']);
    expect(await shop.show(id)).toMatchObject({ status: 'done', matched: 1 });
  });

  it('leaves a wallet that somebody holds to a later turn', async () => {
    const [held, free] = [await aMember(), await aMember()];
    const wallet = await aWallet(db, { userId: held.userId, tenantId: shop.tenantId });
    const { id, points } = (
      await shop.upload(`${held.email},,6`, `${free.email},,7`)
    ).json<ShownImport>();
    await shop.approve(id, points);
    await db.transaction(async (tx) => {
      await tx('wallets').where({ id: wallet }).forUpdate().first();
      await runImports(db);
      expect(await statesOf(id)).toEqual([null, 'credited']);
      expect(await shop.show(id)).toMatchObject({ status: 'running', matched: 1 });
    });
    await db('due_work').where({ kind: 'run_import' }).update({ dueAt: db.fn.now() });
    await runImports(db);
    expect(await statesOf(id)).toEqual(['credited', 'credited']);
    expect(await shop.show(id)).toMatchObject({ status: 'done', matched: 2 });
  });

  it('run twice at once, beside those who sign up, credits each once', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, () => aMember()));
    const newcomers = Array.from({ length: 20 }, anAddress);
    const emails = [...members.map(({ email }) => email), ...newcomers];
    const lines = emails.map((email) => `${email},,10`);
    const { id, points } = (await shop.upload(...lines)).json<ShownImport>();
    await shop.approve(id, points);
    const arriving = Promise.all(newcomers.map((email) => aMember(email)));
    await Promise.all([runImports(db), runImports(db), matchContacts(db), arriving]);
    await runImports(db);
    await matchContacts(db);
    expect(await shop.show(id)).toMatchObject({ status: 'done', matched: 40, waiting: 0 });
    const balances = await db('wallets').where({ tenantId: shop.tenantId }).select('balance');
    expect(balances).toEqual(Array.from({ length: 40 }, () => ({ balance: 10 })));
    await expectWhole(db);
  });
});

/** Lets Postgres refuse some changes of a table, by an error that blames no data. */
async function refusing(table: string, which: string, work: () => Promise<void>): Promise<void> {
  await app.owner.raw(
    `create function refuse_row() returns trigger language plpgsql as
       $$ begin raise exception 'refused on purpose'; end $$;
     create trigger refuse_row before update on ${table} for each row
       when (${which}) execute function refuse_row()`,
  );
  try {
    await work();
  } finally {
    await app.owner.raw('drop function refuse_row cascade');
  }
}

describe('a row of a person who signs up', () => {
  it('is credited though one of their sales elsewhere cannot be matched', async () => {
    const email = anAddress();
    const id = await shop.bring(`${email},,50`);
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    const payment = aSale({ email });
    await ingestListedPayments(db, [{ tenantId, payment }], testPolicy);
    await aMember(email);
    const sale = `old.provider_payment_id = '${payment.providerPaymentId}'`;
    await refusing('payments', sale, async () => void (await matchContacts(db)));
    expect(await statesOf(id)).toEqual(['credited']);
  });

  it('that comes first counts, also while it cannot be stored', async () => {
    const [email, phone] = [anAddress(), '+4915123456786'];
    const id = await shop.bring(`,${phone},50`, `${email},,60`);
    const userId = await aUser(db, { email, emailVerified: true, phone, phoneVerified: true });
    await refusing('import_rows', `old.import_id = '${id}' and old.line = 2`, async () => {
      expect(await matchContacts(db)).toBe(0);
    });
    expect(await statesOf(id)).toEqual(['waiting', 'waiting']);
    await db('due_work').where({ subjectId: userId }).update({ dueAt: db.fn.now() });
    await matchContacts(db);
    expect(await statesOf(id)).toEqual(['credited', 'repeated']);
    expect(await balanceOf(userId)).toBe(50);
  });

  it('is credited though one of another shop cannot be, which is tried again', async () => {
    const email = anAddress();
    const refused = await (await anImportingShop(app)).bring(`${email},,7`);
    const id = await shop.bring(`${email},,50`);
    const { userId } = await aMember(email);
    await refusing('import_rows', `old.import_id = '${refused}'`, async () => {
      expect(await matchContacts(db)).toBe(0);
    });
    expect(await statesOf(id)).toEqual(['credited']);
    await db('due_work').where({ subjectId: userId }).update({ dueAt: db.fn.now() });
    await matchContacts(db);
    expect(await statesOf(refused)).toEqual(['credited']);
  });
});

describe('an import that is taken back', () => {
  it('takes what is left, drops who waits, and frees both for another one', async () => {
    const [spender, saver] = [await aMember(), await aMember()];
    const late = anAddress();
    const lines = [`${spender.email},,100`, `${saver.email},,40`, `${late},,7`];
    const id = await shop.bring(...lines);
    const wallet = required(await db('wallets').where({ userId: spender.userId }).first()).id;
    await db.transaction((tx) => postByHand(tx, [aDebit(wallet, 80)]));

    expect(await shop.revert(id)).toMatchObject({ status: 200, body: { status: 'reverting' } });
    await runImports(db);
    expect(await statesOf(id)).toEqual(['reverted', 'reverted', 'dropped']);
    expect(await shop.show(id)).toMatchObject({
      status: 'reverted',
      matched: 2,
      waiting: 0,
      notTaken: 80,
    });
    expect([await balanceOf(spender.userId), await balanceOf(saver.userId)]).toEqual([0, 0]);
    const taken = await db('audit_log').where({ targetId: wallet }).orderBy('seq', 'desc').first();
    expect(taken).toMatchObject({ reason: `import ${id}`, after: { points: -20, importId: id } });

    await aMember(late);
    await matchContacts(db);
    const again = await shop.bring(...lines);
    expect(await shop.show(again)).toMatchObject({ matched: 3, repeated: 0 });
    await expectWhole(db);
  });

  it('credits nobody who signs up before their row is dropped', async () => {
    const late = anAddress();
    const id = await shop.bring(`${late},,50`);
    await shop.revert(id);
    const { userId } = await aMember(late);
    await matchContacts(db);
    await runImports(db);
    expect(await statesOf(id)).toEqual(['dropped']);
    expect(await balanceOf(userId)).toBeUndefined();
    expect(await shop.show(id)).toMatchObject({ status: 'reverted', waiting: 0, notTaken: 0 });
  });
});
