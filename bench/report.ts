import { percentile, ratiosOf, type Spread, spreadOf } from './statistics.ts';

/**
 * A measured figure and the value that it must reach: at least or at most this much. `spread`: of
 * the repetitions, of which the value is the median.
 */
export type Bar = {
  figure: string;
  value: number;
  spread?: Spread;
  atLeast?: number;
  atMost?: number;
};

/** One table of the report. Numbers in cells are rounded to about three significant digits. */
export type Section = {
  /** Names the section and its figures for programs that read the JSON. */
  key?: string;
  figures?: Readonly<Record<string, Spread>>;
  title: string;
  note: string;
  columns: readonly string[];
  rows: ReadonlyArray<ReadonlyArray<string | number>>;
  bars: readonly Bar[];
};

/**
 * How a figure does beside its bar. It is missed only if each repetition misses it: what lies on
 * both sides of the bar is `unclear` unless its median reaches it. NaN reaches no bar.
 */
export function verdictOn(bar: Bar): 'reached' | 'unclear' | 'missed' {
  const { value, spread = { min: value, max: value } } = bar;
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = bar;
  const reaches = (each: number) => each >= atLeast && each <= atMost;
  if (reaches(value)) return 'reached';
  return reaches(spread.min) || reaches(spread.max) ? 'unclear' : 'missed';
}

/**
 * Returns the bar of a ratio. Both lists are in the order of the repetitions, in which the two took
 * turns, so that what the machine did meanwhile concerns both.
 */
export function ratioBar(
  figure: string,
  [ours, theirs]: readonly [readonly number[], readonly number[]],
  limit: { atLeast: number } | { atMost: number },
): Bar {
  const spread = spreadOf(ratiosOf(ours, theirs));
  return { figure, value: spread.median, spread, ...limit };
}

/** Renders the section as plain text: its title, an aligned table, and a line for each bar. */
export function formatSection({ title, note, columns, rows, bars }: Section): string {
  const lines = [title, note, '', ...formatTable([columns, ...rows.map((row) => row.map(cell))])];
  if (bars.length > 0) lines.push('');
  return [...lines, ...bars.map(formatBar)].join('\n');
}

/** Renders a spread as `min/median/max`. */
export function formatSpread({ min, median, max }: Spread): string {
  return [min, median, max].map(round).join('/');
}

/** Renders the latencies as `p50/p99`. */
export function formatLatency(values: readonly number[]): string {
  return `${round(percentile(values, 50))}/${round(percentile(values, 99))}`;
}

/** Renders the median processor time of the process at this position, in whole microseconds. */
export function formatCpu(
  measurements: ReadonlyArray<{ cpu: readonly number[] }>,
  position: number,
): string {
  const values = measurements.map(({ cpu }) => cpu[position] ?? Number.NaN);
  return spreadOf(values).median.toFixed(0);
}

function formatBar(bar: Bar): string {
  const wanted = [
    bar.atLeast === undefined ? [] : [`≥ ${bar.atLeast}`],
    bar.atMost === undefined ? [] : [`≤ ${bar.atMost}`],
  ].flat();
  const verdict = verdictOn(bar);
  const value = bar.spread ? formatSpread(bar.spread) : round(bar.value);
  const said = verdict === 'missed' ? 'MISSED' : verdict;
  return `  ${said}  ${bar.figure}: ${value} (bar ${wanted.join(', ')})`;
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

/** Rounds to three significant digits, but never a whole number, and separates thousands. */
function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
