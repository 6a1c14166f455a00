import { z } from 'zod';

export const CSV_TYPE = 'text/csv';

/** How many rows one piece of a table holds, all of which are in memory at once. */
const ROWS_OF_A_PIECE = 1_000;

/** A table that is read page by page, in one order. */
export type Table<Item> = {
  /** The columns are the fields of an object, in their order; a field of an inner one is dotted. */
  row: z.ZodObject;
  /** Reads at most `limit` items that come after `after`, or the first ones. */
  read(limit: number, after: Item | undefined): Promise<readonly Item[]>;
  /** Returns the object of an item. */
  show(item: Item): unknown;
};

/**
 * Makes a table as CSV (RFC 4180), a piece for each page, of which the first one begins with the
 * names of the columns. Null is an empty cell. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it.
 */
export function csvOf<Item>(table: Table<Item>, rowsOfAPiece = ROWS_OF_A_PIECE) {
  const columns = columnsOf(table.row);
  const lines = {
    head: lineOf(columns.map((names) => names.join('.'))),
    of(item: Item) {
      const shown = table.show(item);
      return lineOf(columns.map((names) => valueAt(shown, names)));
    },
  };
  return piecesOf(table, lines, rowsOfAPiece);
}

/** Makes a piece of text for each page of a table, of which the first one begins with its head. */
export async function* piecesOf<Item>(
  { read }: Pick<Table<Item>, 'read'>,
  lines: { head: string; of(item: Item): string },
  rowsOfAPiece = ROWS_OF_A_PIECE,
): AsyncGenerator<string> {
  let { head } = lines;
  let after: Item | undefined;
  for (;;) {
    const items = await read(rowsOfAPiece, after);
    if (head !== '' || items.length > 0) yield head + items.map((item) => lines.of(item)).join('');
    if (items.length < rowsOfAPiece) return;
    after = items.at(-1);
    head = '';
  }
}

function columnsOf(row: z.ZodObject): string[][] {
  return Object.entries(row.shape).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
    if (!(inner instanceof z.ZodObject)) return [[name]];
    return columnsOf(inner).map((names) => [name, ...names]);
  });
}

function valueAt(shown: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  }, shown);
}

function lineOf(cells: readonly unknown[]): string {
  return `${cells.map((cell) => cellOf(cell, ',')).join(',')}\r\n`;
}

/**
 * Writes a cell. A text that a spreadsheet would take for a formula gets an apostrophe before it,
 * and one with what separates cells or lines gets quotes. A list or an object is its JSON.
 */
export function cellOf(value: unknown, separator: string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return cellOf(JSON.stringify(value), separator);
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  const isPlain = !/["\r\n]/.test(text) && !text.includes(separator);
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}
