import type { Language } from '../../../domain/language.ts';
import { type TableWords, tableWords } from '../../../domain/texts/table-words.ts';
import { decimalAmount } from '../../../domain/texts/wording.ts';
import { shownAt } from '../../../domain/time-zones.ts';
import { cellOf, piecesOf, type Table } from './csv.ts';

/** A column of a table for people, of one kind of value. Null is an empty cell. */
export type Column<Item> = { title: string } & (
  | { text(item: Item): string | number | null }
  | { time(item: Item): Date | null }
  | { amount(item: Item): { minorUnits: number; currency: string | null } }
);

/** By which language and whose clocks a table is written. */
export type Form = { language: Language; timeZone: string };

/** How spreadsheets expect numbers, and cells apart, where the language is spoken. */
const FORMS = {
  en: { separator: ',', decimalSign: '.' },
  de: { separator: ';', decimalSign: ',' },
} as const satisfies Record<Language, object>;

/** Without it, spreadsheets take UTF-8 for an older encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Makes a table as CSV that people open in a spreadsheet, a piece for each page: columns have names
 * of the language, times are what the clocks of the time zone show, whose name is in the title, and
 * amounts have decimals. A text that would be taken for a formula gets an apostrophe before it.
 */
export function namedCsvOf<Item>(
  table: Pick<Table<Item>, 'read'> & { columns(words: TableWords): readonly Column<Item>[] },
  form: Form,
  rowsOfAPiece?: number,
): AsyncGenerator<string> {
  const { separator } = FORMS[form.language];
  const columns = table.columns(tableWords[form.language]);
  const lineOf = (cells: readonly string[]) => `${cells.join(separator)}\r\n`;
  const titles = columns.map((column) =>
    'time' in column ? `${column.title} (${form.timeZone})` : column.title,
  );
  const lines = {
    head: BYTE_ORDER_MARK + lineOf(titles.map((title) => cellOf(title, separator))),
    of: (item: Item) => lineOf(columns.map((column) => written(column, item, form))),
  };
  return piecesOf(table, lines, rowsOfAPiece);
}

function written<Item>(column: Column<Item>, item: Item, { language, timeZone }: Form): string {
  const { separator, decimalSign } = FORMS[language];
  if ('text' in column) return cellOf(column.text(item), separator);
  if ('time' in column) {
    const time = column.time(item);
    return time === null ? '' : shownAt(timeZone, time);
  }
  const { minorUnits, currency } = column.amount(item);
  return decimalAmount(minorUnits, currency ?? '').replace('.', decimalSign);
}
