import { z } from 'zod';
import type { Language } from '../../../domain/language.ts';
import type { TableWords } from '../../../domain/texts/table-words.ts';
import { timeZoneOf } from '../../../domain/time-zones.ts';
import { timeZoneParameter } from '../requests/filters.ts';
import { CSV_TYPE, csvOf, type Table } from './csv.ts';
import { type Column, namedCsvOf } from './named-csv.ts';
import { type Streamed, streamed } from './reply.ts';

/** The parameters of a list that is also CSV. */
export const csvParameters = {
  columns: z
    .enum(['fields', 'named'])
    .default('fields')
    .describe('Of CSV: `fields` as in JSON, or `named` for spreadsheets, as with transactions.'),
  timeZone: timeZoneParameter("Of `named` columns; by default the shop's, or UTC."),
};

/** What the description of a list says of its CSV. */
export const ABOUT_CSV = 'With `Accept: text/csv`, all of them as CSV, as with transactions.';

/** How a caller wants a table, and of whose shop it is. */
export type CsvAsked = {
  columns: 'fields' | 'named';
  timeZone?: string | undefined;
  language(): Language;
  tenant: { timeZone: string | null; country: string | null } | undefined;
  now(): Date;
};

/** A list, and what its columns are for people; `name` is that of the file. */
export type CsvTable<Item> = Table<Item> & {
  name: string;
  columns(words: TableWords): readonly Column<Item>[];
};

/** Answers with a whole list as CSV: the fields of its items, or columns for people. */
export function csvAnswer<Item>(
  { columns, language, timeZone, tenant, now }: CsvAsked,
  table: CsvTable<Item>,
): Streamed {
  const zone = timeZone ?? (tenant && timeZoneOf(tenant, now())) ?? 'UTC';
  const pieces =
    columns === 'fields'
      ? csvOf(table)
      : namedCsvOf(table, { language: language(), timeZone: zone });
  return streamed(pieces, {
    'Content-Type': `${CSV_TYPE}; charset=utf-8; header=present`,
    'Content-Disposition': `attachment; filename="${table.name}.csv"`,
  });
}
