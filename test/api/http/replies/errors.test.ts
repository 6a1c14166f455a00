import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  failureOf,
  HttpRefusal,
  invalid,
  statusOf,
  unavailable,
} from '../../../../api/http/replies/errors.ts';
import { connect } from '../../../../db/connection.ts';
import { ERROR_CODES, Refusal } from '../../../../domain/errors.ts';
import { IdentityProviderUnavailable } from '../../../../gateways/identity/issuer-keys.ts';
import { createTestDatabase } from '../../../support/database/test-database.ts';

/** Returns what `work` rejects with. */
async function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => expect.fail('It should have been rejected.'),
    (error: unknown) => error,
  );
}

describe('statusOf', () => {
  it('is fixed for every code', () => {
    expect(ERROR_CODES.map((code) => [code, statusOf[code]])).toEqual([
      ['UNAUTHORIZED', 401],
      ['FORBIDDEN', 403],
      ['INSUFFICIENT_ROLE', 403],
      ['TENANT_NOT_FOUND', 404],
      ['TENANT_FORBIDDEN', 403],
      ['VALIDATION_ERROR', 400],
      ['NOT_FOUND', 404],
      ['IDEMPOTENCY_REPLAY', 409],
      ['RULE_REJECTED', 422],
      ['INSUFFICIENT_BALANCE', 422],
      ['RATE_LIMITED', 429],
      ['INTERNAL_ERROR', 500],
    ]);
  });
});

describe('failureOf', () => {
  it('keeps the code and the message of a refusal', () => {
    expect(failureOf(new Refusal('RULE_REJECTED', 'Too few points.'))).toMatchObject({
      status: 422,
      code: 'RULE_REJECTED',
      message: 'Too few points.',
      headers: {},
      unexpected: false,
    });
  });

  it('keeps the status and the headers of a refusal that has its own', () => {
    const refusal = new HttpRefusal('IDEMPOTENCY_REPLAY', 'Another request.', 422, {
      headers: { 'X-A': 'b' },
    });
    expect(failureOf(refusal)).toMatchObject({ status: 422, headers: { 'X-A': 'b' } });
  });

  it('401 with the scheme to use', () => {
    const { headers } = failureOf(new Refusal('UNAUTHORIZED', 'No token.'));
    expect(headers).toEqual({ 'WWW-Authenticate': 'Bearer' });
  });

  it('400 with the dotted path of every issue', () => {
    const schema = z.object({ profile: z.object({ lines: z.array(z.string()) }) });
    const { error } = schema.safeParse({ profile: { lines: ['a', 2] } }, { reportInput: true });
    if (!error) expect.fail('It should not be valid.');
    expect(failureOf(invalid('body', error))).toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      issues: [
        { path: 'profile.lines.1', message: expect.stringContaining('string'), code: 'wrong_type' },
      ],
    });
  });

  it('400 with a code for each kind of issue', () => {
    const schema = z.strictObject({ needed: z.string(), few: z.int().max(3), one: z.enum(['a']) });
    const { error } = schema.safeParse({ few: 4, one: 'b', twoo: 1 }, { reportInput: true });
    if (!error) expect.fail('It should not be valid.');
    expect(invalid('body', error).issues?.map(({ path, code }) => [path, code])).toEqual([
      ['needed', 'required'],
      ['few', 'too_big'],
      ['one', 'invalid_value'],
      ['twoo', 'unknown_field'],
    ]);
  });

  it('one issue with its parameters for a refusal that a program must tell apart', () => {
    const why = { issue: 'above_maximum_share', params: { max: 5 } } as const;
    expect(failureOf(new Refusal('RULE_REJECTED', 'At most 5.', why)).issues).toEqual([
      { path: '', code: 'above_maximum_share', message: 'At most 5.', params: { max: 5 } },
    ]);
  });

  it.each([
    ['something unavailable', unavailable('Not now.')],
    ['an unreachable issuer', new IdentityProviderUnavailable('No keys')],
  ])('503 with Retry-After for %s', (_, error) => {
    expect(failureOf(error)).toMatchObject({
      status: 503,
      code: 'INTERNAL_ERROR',
      headers: { 'Retry-After': '5' },
      unexpected: false,
    });
  });

  it.each([
    ['an error', new Error('the password is 12345')],
    [
      'an error with a status, as libraries throw them',
      Object.assign(new Error(), { status: 404 }),
    ],
    ['a value that is not an error', 'oops'],
    ['undefined', undefined],
  ])('500 that reveals nothing for %s', (_, error) => {
    expect(failureOf(error)).toEqual({
      status: 500,
      code: 'INTERNAL_ERROR',
      message: 'Something went wrong on our side. If it happens again, report the requestId.',
      issues: undefined,
      headers: {},
      unexpected: true,
    });
  });
});

describe('an error of Postgres', () => {
  it.each([
    ['a port without a listener', 'postgres://127.0.0.1:9/none'],
    ['a host that does not exist', 'postgres://nowhere.invalid:5432/none'],
  ])('503 for %s', async (_, url) => {
    const db = connect(url, 1, 'loyalty-test');
    try {
      const error = await errorOf(db.select(1));
      expect(failureOf(error)).toMatchObject({ status: 503, unexpected: false });
    } finally {
      await db.destroy();
    }
  });

  it('503 when it terminates the connection', async () => {
    const database = await createTestDatabase();
    const other = connect(database.url, 1, 'loyalty-test-cut-off');
    try {
      const sleeping = errorOf(other.raw('select pg_sleep(20)'));
      await expect
        .poll(async () => {
          const { rows } = await database.db.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'loyalty-test-cut-off' and query like '%pg_sleep%'`,
          );
          return rows.length;
        })
        .toBe(1);
      expect(failureOf(await sleeping)).toMatchObject({ status: 503, unexpected: false });
    } finally {
      await other.destroy();
      await database.close();
    }
  });

  it('503 when every connection of the pool is in use', async () => {
    const database = await createTestDatabase();
    const small = connect(database.url, 1, 'loyalty-test');
    const tx = await small.transaction();
    try {
      const error = await errorOf(small.select(1));
      expect(failureOf(error)).toMatchObject({ status: 503, unexpected: false });
    } finally {
      await tx.rollback();
      await small.destroy();
      await database.close();
    }
  });

  it('422 for a violated constraint that stands for a refusal', () => {
    const error = Object.assign(new Error('violates'), {
      code: '23514',
      constraint: 'wallets_balance_not_negative',
    });
    expect(failureOf(error)).toMatchObject({ status: 422, code: 'INSUFFICIENT_BALANCE' });
  });

  it('500 for any other error', async () => {
    const database = await createTestDatabase();
    try {
      const error = await errorOf(database.db.raw('select 1 / 0'));
      expect(failureOf(error)).toMatchObject({ status: 500, unexpected: true });
    } finally {
      await database.close();
    }
  });
});
