import { describe, expect, it } from 'vitest';
import { type Form, namedCsvOf } from '../../../../api/http/replies/named-csv.ts';

type Row = { name: string | null; at: Date | null; minorUnits: number; currency: string | null };
const aRow = (some: Partial<Row> = {}): Row => ({
  name: 'Ada',
  at: new Date('2026-01-15T10:05:59Z'),
  minorUnits: 1250,
  currency: 'EUR',
  ...some,
});
const english: Form = { language: 'en', timeZone: 'America/New_York' };
const german: Form = { language: 'de', timeZone: 'Europe/Berlin' };

async function textOf(rows: readonly Row[], form: Form, rowsOfAPiece?: number): Promise<string> {
  const table = {
    read: async (limit: number, after: Row | undefined) => {
      const from = after === undefined ? 0 : rows.indexOf(after) + 1;
      return rows.slice(from, from + limit);
    },
    columns: () => [
      { title: 'Name', text: ({ name }: Row) => name },
      { title: 'When', time: ({ at }: Row) => at },
      {
        title: 'Amount',
        amount: ({ minorUnits, currency }: Row) => ({ minorUnits, currency }),
      },
    ],
  };
  const pieces: string[] = [];
  for await (const piece of namedCsvOf(table, form, rowsOfAPiece)) pieces.push(piece);
  return pieces.join('');
}

describe('namedCsvOf', () => {
  it('has local times, the zone in their title, decimals and a byte order mark', async () => {
    expect(await textOf([aRow()], english)).toBe(
      '\uFEFFName,When (America/New_York),Amount\r\nAda,2026-01-15 05:05,12.50\r\n',
    );
  });

  it('is what German spreadsheets expect in German', async () => {
    expect(await textOf([aRow({ name: 'a;b' })], german)).toBe(
      '\uFEFFName;When (Europe/Berlin);Amount\r\n"a;b";2026-01-15 11:05;12,50\r\n',
    );
  });

  it.each([
    [{ minorUnits: -5 }, '-0.05'],
    [{ minorUnits: 1250, currency: 'JPY' }, '1250'],
    [{ minorUnits: 1250, currency: 'KWD' }, '1.250'],
    [{ minorUnits: 1250, currency: null }, '1250'],
  ])('writes the amount %o as %s', async (some, amount) => {
    expect(await textOf([aRow({ name: null, at: null, ...some })], english)).toContain(
      `\r\n,,${amount}\r\n`,
    );
  });

  it.each(['=1+1', '+49', '-1', '@sum'])('puts an apostrophe before %s', async (name) => {
    expect(await textOf([aRow({ name })], english)).toContain(`\r\n'${name},`);
  });

  it('has its head once, however many pages there are', async () => {
    const text = await textOf([aRow(), aRow(), aRow()], english, 1);
    expect(text.split('Ada')).toHaveLength(4);
    expect(text.split('Name')).toHaveLength(2);
  });
});
