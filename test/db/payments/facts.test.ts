import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as paymentFacts from '../../../db/payments/facts.ts';
import { aRule, aTenant, aUser, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;
const tenantId = await aTenant(db);

const read = (...questions: paymentFacts.PaymentQuery[]) =>
  db.transaction((tx) => paymentFacts.readFacts(tx, questions));
const ask = (some: Partial<paymentFacts.PaymentQuery> = {}): paymentFacts.PaymentQuery => ({
  tenantId,
  provider: 'alpha',
  providerPaymentId: randomUUID(),
  email: null,
  phone: null,
  ...some,
});

describe('readFacts', () => {
  it('finds nothing for a payment without contacts at a tenant without a rule', async () => {
    expect(await read(ask())).toEqual([
      {
        known: null,
        userByEmail: null,
        userByPhone: null,
        rule: null,
        isTold: false,
        hasProgramme: false,
        isSuspended: false,
        currency: null,
        wallets: [],
      },
    ]);
    expect(await read()).toEqual([]);
  });

  it('finds the stored payment of that tenant, provider and id only', async () => {
    const sell = await aTill(db, tenantId);
    const id = await sell({ id: 'PAY_1', amount: 100 });
    const same = { providerPaymentId: 'PAY_1' };
    const facts = await read(
      ask(same),
      ask({ ...same, provider: 'beta' }),
      ask({ ...same, tenantId: await aTenant(db) }),
    );
    expect(facts.map(({ known }) => known?.id ?? null)).toEqual([id, null, null]);
  });

  it('returns facts in the order of the questions, each independently', async () => {
    const email = `${randomUUID()}@example.com`;
    const phone = '+41446681800';
    const [ada, bob] = [await aUser(db, { email }), await aUser(db, { phone })];
    const walletId = await aWallet(db, { userId: ada, tenantId });
    const its = { userId: ada, walletId };
    const facts = await read(ask({ phone }), ask(), ask({ email, phone }), ask({ email }));
    expect(facts.map((fact) => [fact.userByEmail, fact.userByPhone])).toEqual([
      [null, bob],
      [null, null],
      [ada, bob],
      [ada, null],
    ]);
    expect(facts.map((fact) => fact.wallets)).toEqual([[], [], [its], [its]]);
  });

  it.each([
    { some: { emailVerified: false }, because: 'the e-mail is not verified' },
    { some: { role: 'client' }, because: 'the user is a merchant' },
    { some: { role: 'admin' }, because: 'the user is an admin' },
  ] as const)('finds no user when $because', async ({ some }) => {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email, ...some });
    expect(await read(ask({ email }))).toMatchObject([{ userByEmail: null }]);
  });

  it('finds the last to verify it of several with one contact, also an operator', async () => {
    const [email, phone] = [`${randomUUID()}@example.com`, `+1212${Date.now()}`];
    const first = await aUser(db, { email, phone });
    const last = await aUser(db, { email, phone, role: 'pos_operator' });
    const find = () => read(ask({ email, phone }));
    expect(await find()).toMatchObject([{ userByEmail: last, userByPhone: last }]);

    const emailVerifiedAt = new Date(Date.now() + 1_000);
    await db('users').where({ id: first }).update({ emailVerifiedAt });
    expect(await find()).toMatchObject([{ userByEmail: first, userByPhone: last }]);
  });

  it('finds one person by both spellings of an international domain', async () => {
    const name = randomUUID();
    const ascii = `${name}@xn--mnchen-3ya.example`;
    const id = await aUser(db, { email: `${name}@münchen.example` });
    await db('users').where({ id }).update({ asciiEmail: ascii });
    expect(await read(ask({ email: ascii }))).toMatchObject([{ userByEmail: id }]);
  });

  it('of users from before verifications were noted finds the last to sign up', async () => {
    const email = `${randomUUID()}@example.com`;
    const [one, other] = [await aUser(db, { email }), await aUser(db, { email })];
    const signedUp = async (id: string, days: number) =>
      db('users')
        .where({ id })
        .update({ emailVerifiedAt: null, createdAt: new Date(Date.now() - days * 86_400_000) });
    await signedUp(one, 1);
    await signedUp(other, 2);
    expect(await read(ask({ email }))).toMatchObject([{ userByEmail: one }]);
  });

  it('returns the rule in effect with its decimals, at most a minute early', async () => {
    const shop = await aTenant(db);
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    await aRule(db, shop, { conversionRate: 0.1, effectiveFrom: at(-100) });
    await aRule(db, shop, { conversionRate: 0.2, effectiveFrom: at(90) });
    const version = async () => (await read(ask({ tenantId: shop })))[0]?.rule;
    expect(await version()).toMatchObject({ version: 1, conversionRate: '0.100000' });
    await aRule(db, shop, { conversionRate: 0.3, effectiveFrom: at(45) });
    expect(await version()).toMatchObject({ version: 3, conversionRate: '0.300000' });
  });
});
