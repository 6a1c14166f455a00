import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csvOf } from '../../../../api/http/replies/csv.ts';

const row = z.object({
  name: z.string().nullable().describe('What it is called.'),
  points: z.int(),
  owner: z.object({ id: z.string(), email: z.string().nullable() }).nullable(),
  isOpen: z.boolean(),
});
type Row = z.infer<typeof row>;
const aRow = (some: Partial<Row> = {}): Row => ({
  name: 'a',
  points: 1,
  owner: null,
  isOpen: true,
  ...some,
});

const HEAD = 'name,points,owner.id,owner.email,isOpen\r\n';

async function piecesOf(rows: readonly Row[], rowsOfAPiece?: number): Promise<string[]> {
  const show = (each: Row) => ({ hidden: 'never shown', ...each });
  const read = async (limit: number, after: Row | undefined) => {
    const from = after === undefined ? 0 : rows.indexOf(after) + 1;
    return rows.slice(from, from + limit);
  };
  const pieces: string[] = [];
  for await (const piece of csvOf({ row, read, show }, rowsOfAPiece)) pieces.push(piece);
  return pieces;
}

describe('csvOf', () => {
  it('has a column for each declared field, inner ones dotted, in their order', async () => {
    const owner = { id: 'U1', email: null };
    expect(await piecesOf([aRow({ owner }), aRow({ name: null })])).toEqual([
      `${HEAD}a,1,U1,,true\r\n,1,,,true\r\n`,
    ]);
  });

  it('has the names of the columns even without a row', async () => {
    expect(await piecesOf([])).toEqual([HEAD]);
  });

  it.each([
    ['plain text', 'plain text'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@sum', "'@sum"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['=a,"b"', '"\'=a,""b"""'],
    ['a=1', 'a=1'],
    ['***678', '***678'],
    ["'quoted", "'quoted"],
    ['Café ☕', 'Café ☕'],
    ['', ''],
  ])('writes %j as %s', async (name, cell) => {
    expect(await piecesOf([aRow({ name })])).toEqual([`${HEAD}${cell},1,,,true\r\n`]);
  });

  it('writes a list or an object as its JSON', async () => {
    const table = {
      row: z.object({ ids: z.array(z.string()), state: z.record(z.string(), z.int()) }),
      read: async (_: number, after?: object) => (after ? [] : [{}]),
      show: () => ({ ids: ['a', 'b'], state: { points: 5 } }),
    };
    const { value } = await csvOf(table).next();
    expect(value).toBe('ids,state\r\n"[""a"",""b""]","{""points"":5}"\r\n');
  });

  it('never writes an apostrophe before a number', async () => {
    expect(await piecesOf([aRow({ points: -5 })])).toEqual([`${HEAD}a,-5,,,true\r\n`]);
  });

  it.each([
    { number: 4, pieces: [2, 2] },
    { number: 5, pieces: [2, 2, 1] },
  ])('makes a piece for each page of $number rows', async ({ number, pieces }) => {
    const rows = Array.from({ length: number }, (_, nth) => aRow({ points: nth }));
    const made = await piecesOf(rows, 2);
    expect(made.join('')).toBe(
      `${HEAD}${rows.map(({ points }) => `a,${points},,,true\r\n`).join('')}`,
    );
    const lines = made.map((piece) => piece.split('\r\n').length - 1);
    expect(lines).toEqual(pieces.map((each, nth) => (nth === 0 ? each + 1 : each)));
  });
});
