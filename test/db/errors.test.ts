import { describe, expect, it } from 'vitest';
import { isTransientError, isUnavailable, refusalOf, violatedConstraint } from '../../db/errors.ts';
import * as ledger from '../../db/ledger/postings.ts';
import { aCredit, aDebit, aRule, aTenant, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();

const errorOf = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );
const post = (...entries: ledger.Entry[]) =>
  database.db.transaction((tx) => ledger.post(tx, entries));

describe('refusalOf', () => {
  it('INSUFFICIENT_BALANCE for a debit beyond the balance, alone or in a batch', async () => {
    const walletId = await aWallet(database.db, { balance: 10 });
    for (const entries of [
      [aDebit(walletId, 11)],
      [aDebit(walletId, 11), aCredit(walletId, 5)],
      [aCredit(walletId, 1), aDebit(walletId, 12)],
    ]) {
      expect(refusalOf(await errorOf(post(...entries)))).toMatchObject({
        name: 'Refusal',
        code: 'INSUFFICIENT_BALANCE',
      });
    }
  });

  it('IDEMPOTENCY_REPLAY for a version of a rule that exists already', async () => {
    const tenantId = await aTenant(database.db);
    await aRule(database.db, tenantId);
    const error = await errorOf(
      database.db.raw('insert into reward_rules select * from reward_rules where tenant_id = ?', [
        tenantId,
      ]),
    );
    expect(violatedConstraint(error)).toBe('reward_rules_pkey');
    const again = await errorOf(
      database.db.raw(
        `insert into reward_rules (tenant_id, version, conversion_rate, min_spend_minor_units,
           min_balance_to_redeem, max_redemption_percentage, rounding_policy, effective_from)
         values (?, 1, 1, 0, 0, 100, 'floor', now())`,
        [tenantId],
      ),
    );
    expect(refusalOf(again)).toMatchObject({ code: 'IDEMPOTENCY_REPLAY' });
  });

  it.each([
    { error: new Error('plain'), because: 'the error is not from Postgres' },
    {
      error: Object.assign(new Error(), { constraint: 7 }),
      because: 'the error names no constraint',
    },
    {
      error: Object.assign(new Error(), { constraint: 'users_role_known' }),
      because: 'the violation is a bug',
    },
    { error: { constraint: 'wallets_balance_not_negative' }, because: 'the value is not an error' },
    { error: undefined, because: 'there is no error' },
  ])('undefined when $because', ({ error }) => {
    expect(refusalOf(error)).toBeUndefined();
  });

  it('undefined for a constraint named like a property of every object', () => {
    const error = Object.assign(new Error(), { constraint: 'constructor' });
    expect(refusalOf(error)).toBeUndefined();
  });
});

describe('isTransientError', () => {
  const error = (code: string) => Object.assign(new Error('refused'), { code });

  it.each([
    '08006',
    '28P01',
    '28000',
    '25006',
    '53100',
    '57P01',
    '53200',
    '40001',
    '40P01',
    'ECONNREFUSED',
  ])('is true for %s: the database is in trouble', (code) =>
    expect(isTransientError(error(code))).toBe(true),
  );

  it.each(['22003', '23514', '57014', '55P03', '42703'])(
    'is false for %s: what was asked is at fault',
    (code) => expect(isTransientError(error(code))).toBe(false),
  );

  it('is false for an error that is no database’s, and true when no connection is free', () => {
    expect(isTransientError(new RangeError('too many'))).toBe(false);
    expect(isTransientError(new Error('Unable to acquire a connection'))).toBe(true);
  });
});

describe('isUnavailable', () => {
  const error = (code: string) => Object.assign(new Error('refused'), { code });

  it.each(['08006', '28P01', '28000', '53100', '53300', '57P01', '57P03', '57014', '25006'])(
    'is true for %s, which a request may meet once and not again',
    (code) => expect(isUnavailable(error(code))).toBe(true),
  );

  it.each(['22003', '23514', '42703', '40001', '25P02', '57000'])('is false for %s', (code) =>
    expect(isUnavailable(error(code))).toBe(false),
  );
});
