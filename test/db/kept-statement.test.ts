import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { keptStatement } from '../../db/kept-statement.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

type Row = { nth: number; text: string | null; number: number | null; bytes: Buffer | null };

const echo = keptStatement<Row>(
  'test-echo',
  `select u.nth, u.text, u.number, u.bytes
   from unnest(:texts::text[], :numbers::bigint[], :bytes::bytea[]) with ordinality
     as u(text, number, bytes, nth)
   where u.nth >= :from::bigint and :from::bigint > 0`,
);

describe('a kept statement', () => {
  it('gets its arrays as they are, whatever they hold', async () => {
    const texts = ['plain', '', 'NULL', null, '{"a\\b",}', "it's", ' ', '\n\t', '∞ 😀', '\\x00'];
    const values = {
      texts,
      numbers: texts.map((_, nth) => (nth === 0 ? null : Number.MAX_SAFE_INTEGER - nth)),
      bytes: texts.map((_, nth) => (nth === 0 ? null : Buffer.from([0, nth, 255]))),
      from: 1,
    };
    const rows = await db.transaction((tx) => echo(tx, values));
    expect(rows.map(({ text }) => text)).toEqual(values.texts);
    expect(rows.map(({ number }) => number)).toEqual(values.numbers);
    expect(rows.map(({ bytes }) => bytes)).toEqual(values.bytes);
    expect(await echo(db, { texts: [], numbers: [], bytes: [], from: 1 })).toEqual([]);
  });

  it('belongs to the transaction, and is kept on its connection', async () => {
    const single = connect(database.url, 1, 'loyalty-test');
    const insert = keptStatement<{ id: string }>(
      'test-insert',
      'insert into tenants (name) values (:name::text) returning id',
    );
    const failed = single.transaction(async (tx) => {
      await insert(tx, { name: 'Kept Shop' });
      await insert(tx, { name: 'Another Kept Shop' });
      expect(await tx('tenants').where('name', 'like', '%Kept Shop')).toHaveLength(2);
      throw new Error('Undone.');
    });
    await expect(failed).rejects.toThrow('Undone.');
    expect(await db('tenants').where('name', 'like', '%Kept Shop')).toEqual([]);
    const kept = await single.raw('select name from pg_prepared_statements');
    expect(kept.rows).toEqual([{ name: 'test-insert' }]);
    expect(single.client.pool.numUsed()).toBe(0);
    await single.destroy();
  });

  it('is told to those who listen, with its name', async () => {
    const heard: unknown[] = [];
    db.once('query', ({ sql, options }) => heard.push(sql.slice(0, 12), options));
    await echo(db, { texts: ['a'], numbers: [1], bytes: [null], from: 1 });
    expect(heard).toEqual(['select u.nth', { name: 'test-echo' }]);
  });

  it('fails without its values, and returns its connection', async () => {
    const single = connect(database.url, 1, 'loyalty-test');
    const divide = keptStatement('test-divide', 'select 1 / :by::integer, :secret::text');
    const failed = divide(single, { by: 0, secret: 'ada@example.com' });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(pg.DatabaseError);
    expect(error).toMatchObject({ code: '22012' });
    expect(String(error)).not.toContain('ada@');
    expect(single.client.pool.numUsed()).toBe(0);
    await single.destroy();
  });

  it('is not run without all of its values, or with one that no array can hold', async () => {
    const values = { texts: [], numbers: [], bytes: [], from: 1 };
    await expect(echo(db, { texts: ['a'], from: 1 })).rejects.toThrow('no value for numbers');
    await expect(echo(db, { ...values, texts: [{}] })).rejects.toThrow('neither a text');
  });
});
