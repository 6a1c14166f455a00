import { CsvError, parse } from 'csv-parse/sync';
import { type IssueCode, Refusal } from './errors.ts';
import { inAscii, normaliseEmail, normalisePhone } from './matching.ts';

// The file of an import: who had how many points. What is wrong with a line leaves out that line;
// what is wrong with the file as a whole refuses it.

/** How large a file may be. */
export const MOST_BYTES = 1024 * 1024;
const HEADER = 'email,phone,points';
const MOST_ROWS = 10_000;
const MOST_POINTS_OF_A_ROW = 100_000;
/** How many points a file may bring in all. */
export const MOST_POINTS = 10_000_000;
/** How many lines that were left out are named. */
const MOST_NAMED = 100;

/** A contact as it is compared. A row goes by its e-mail, or else by its phone. */
export type RowContact = { kind: 'email' | 'phone'; text: string };
/** A row that can be taken. The header is line 1. */
export type ImportRow = { line: number; points: number; contact: RowContact };
/** A row that is left out, and the first thing that is wrong with it. */
export type InvalidRow = { line: number; code: IssueCode };

/** A row as it is written. */
export type WrittenRow = { line: number; fields: readonly string[] };

/**
 * Splits a file into its rows, of RFC 4180 with or without a byte order mark; empty lines are none.
 * Throws VALIDATION_ERROR for what is no such file, for another header, and for one that is too
 * large.
 */
export function splitFile(csv: string): WrittenRow[] {
  if (Buffer.byteLength(csv) > MOST_BYTES) throw refused('too_big', 'is larger than 1 MiB');
  const [header, ...rows] = recordsOf(csv);
  if (header?.fields.join() !== HEADER) {
    throw refused('invalid', `has to begin with the line ${HEADER}`);
  }
  if (rows.length > MOST_ROWS) {
    throw refused('too_big', `has ${rows.length} rows, and may have ${MOST_ROWS}`);
  }
  return rows;
}

function recordsOf(csv: string): WrittenRow[] {
  const records: WrittenRow[] = [];
  try {
    // The parser would count a line that ends within quotes by both of its characters.
    parse(csv.replaceAll('\r\n', '\n'), {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      record_delimiter: '\n',
      on_record(fields: string[], { lines }) {
        // It is counted where a record ends.
        const within = fields.join('').split('\n').length - 1;
        records.push({ line: lines - within, fields });
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused('invalid', `is not in quotes as it should be, in line ${error.lines}`);
  }
  return records;
}

/**
 * Reads a row. A phone without a country code is one of the shop's country, and cannot be taken
 * while that is not known.
 */
export function readRow(
  { line, fields }: WrittenRow,
  country: string | null,
): ImportRow | InvalidRow {
  const [email = '', phone = '', written = '', ...others] = fields.map((field) => field.trim());
  if (fields.length < 3 || others.length > 0) return { line, code: 'invalid' };
  if (email === '' && phone === '') return { line, code: 'required' };
  const contact = contactOf(email, phone, country);
  if (contact === null) return { line, code: 'invalid_format' };
  const points = pointsIn(written);
  return typeof points === 'string' ? { line, code: points } : { line, points, contact };
}

function contactOf(email: string, phone: string, country: string | null): RowContact | null {
  const address = normaliseEmail(email);
  if (address !== null) return { kind: 'email', text: inAscii(address) };
  const number = normalisePhone(phone, country);
  return number === null ? null : { kind: 'phone', text: number };
}

function pointsIn(text: string): number | IssueCode {
  if (text === '') return 'required';
  if (!/^[+-]?\d{1,15}$/.test(text)) return 'invalid_format';
  const points = Number(text);
  if (points < 1) return 'too_small';
  return points > MOST_POINTS_OF_A_ROW ? 'too_big' : points;
}

/** What of a file can be taken, the points of that, and which lines were left out, at most 100. */
export type ReadFile = { taken: ImportRow[]; points: number; invalid: InvalidRow[] };

/** Sums up the rows of a file. Throws VALIDATION_ERROR where none can be taken, and of too much. */
export function sumUp(rows: readonly (ImportRow | InvalidRow)[]): ReadFile {
  const taken = rows.flatMap((row) => ('contact' in row ? row : []));
  const invalid = rows.flatMap((row) => ('code' in row ? row : [])).slice(0, MOST_NAMED);
  if (taken.length === 0) {
    const [first] = invalid;
    const why = first === undefined ? '' : ` (line ${first.line}: ${first.code})`;
    throw refused('required', `has no row that can be taken${why}`);
  }
  const points = taken.reduce((sum, row) => sum + row.points, 0);
  if (points > MOST_POINTS) {
    throw refused('too_big', `has ${points} points in all, and may have ${MOST_POINTS}`);
  }
  return { taken, points, invalid };
}

function refused(code: IssueCode, message: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `The file ${message}. Correct it.`, [
    { path: 'csv', code, message },
  ]);
}
