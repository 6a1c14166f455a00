import { percentile, type Spread } from './statistics.ts';

/** A figure, what it should be, and whether it is. */
export type Bar = { figure: string; value: number; atLeast?: number; atMost?: number };

/** One table of the report. A cell that is a number is written with three significant digits. */
export type Section = {
  title: string;
  note: string;
  columns: readonly string[];
  rows: ReadonlyArray<ReadonlyArray<string | number>>;
  bars: readonly Bar[];
};

/** Whether the value is where the bar wants it. What is not a number reaches none. */
export function isReached({ value, atLeast, atMost }: Bar): boolean {
  if (Number.isNaN(value)) return false;
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

/** The section as plain text: its title, an aligned table, and a line for each bar. */
export function formatSection({ title, note, columns, rows, bars }: Section): string {
  const lines = [title, note, '', ...formatTable([columns, ...rows.map((row) => row.map(cell))])];
  if (bars.length > 0) lines.push('');
  return [...lines, ...bars.map(formatBar)].join('\n');
}

/** `min/median/max`. */
export function formatSpread({ min, median, max }: Spread): string {
  return [min, median, max].map(round).join('/');
}

/** `p50/p99` of some latencies. */
export function formatLatency(values: readonly number[]): string {
  return `${round(percentile(values, 50))}/${round(percentile(values, 99))}`;
}

function formatBar(bar: Bar): string {
  const wanted = [
    bar.atLeast === undefined ? [] : [`≥ ${bar.atLeast}`],
    bar.atMost === undefined ? [] : [`≤ ${bar.atMost}`],
  ].flat();
  const verdict = isReached(bar) ? 'reached' : 'MISSED';
  return `  ${verdict}  ${bar.figure}: ${round(bar.value)} (bar ${wanted.join(', ')})`;
}

function formatTable(rows: ReadonlyArray<readonly string[]>): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

function cell(value: string | number): string {
  return typeof value === 'number' ? round(value) : value;
}

/** Three significant digits, but never fewer than a whole number has, with thousands set apart. */
function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
