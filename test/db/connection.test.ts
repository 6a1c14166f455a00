import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

async function row(sql: string, bindings: string[] = []): Promise<unknown> {
  const { rows } = await db.raw<{ rows: unknown[] }>(sql, [...bindings]);
  return rows[0];
}

describe('a row', () => {
  it('has its columns in camelCase, from a statement and from the builder', async () => {
    expect(await row('select 1 as one, 2 as two_words, 3 as a_b_c, 4 as sha_256')).toEqual({
      one: 1,
      twoWords: 2,
      aBC: 3,
      sha256: 4,
    });
    await db('tenants').insert({ name: 'Shop', logoPath: '/logo' });
    expect(await db('tenants').first('logoPath', 'createdAt as madeAt')).toEqual({
      logoPath: '/logo',
      madeAt: expect.any(Date),
    });
  });

  it('has types that lose no precision', async () => {
    expect(
      await row(`select 9007199254740991::bigint as most, 0.100000::numeric(13, 6) as rate,
        '2026-01-15T10:00:00.123Z'::timestamptz as moment, '\\x00ff'::bytea as bytes,
        true as flag, null::text as nothing, array[1, 2] as list`),
    ).toEqual({
      most: Number.MAX_SAFE_INTEGER,
      rate: '0.100000',
      flag: true,
      nothing: null,
      moment: new Date('2026-01-15T10:00:00.123Z'),
      bytes: Buffer.from([0, 255]),
      list: [1, 2],
    });
  });

  it('keeps the keys inside jsonb as they were stored', async () => {
    const stored = { snake_case: { another_one: [{ in_a_list: 1 }] }, camelCase: 2 };
    expect(await row('select ?::jsonb as some_data', [JSON.stringify(stored)])).toEqual({
      someData: stored,
    });
  });

  it('is undefined when there is none', async () => {
    expect(await db('tenants').where({ name: 'Nowhere' }).first()).toBeUndefined();
  });
});

describe('a connection', () => {
  it('has timeouts and the name of its application', async () => {
    expect(
      await row(`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('application_name') as name`),
    ).toEqual({ statement: '15s', idle: '15s', name: 'loyalty-test' });
  });

  it('fails without the values of the statement in the error', async () => {
    const secret = 'ada@example.com';
    const error = await db('users')
      .insert({ iss: secret, sub: 's', role: 'king', status: 'active' })
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ constraint: 'users_role_known' });
    expect(String(error)).not.toContain(secret);
    expect(error instanceof Error && error.stack).not.toContain(secret);
  });

  it('fails when it cannot be opened, and the next one works', async () => {
    const address = new URL(database.url);
    address.pathname = '/none';
    const nowhere = connect(address.href, 1, 'loyalty-test');
    await expect(nowhere.raw('select 1')).rejects.toMatchObject({ code: '3D000' });
    await nowhere.destroy();
    expect(await row('select 1 as one')).toEqual({ one: 1 });
  });

  it('is returned to the pool when a transaction fails', async () => {
    const single = connect(database.url, 1, 'loyalty-test');
    for (let round = 0; round < 3; round++) {
      await expect(single.transaction((tx) => tx.raw('select 1/0'))).rejects.toThrow('by zero');
    }
    expect(single.client.pool.numUsed()).toBe(0);
    await single.destroy();
  });
});
