import { BetaError } from './refusal.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const WINDOW_MS = 90 * 24 * 3600 * 1000;

type Value = string | number | undefined;
type Condition = { name: string; operator: string; wanted: string };
export type Listing<T> = {
  query: URLSearchParams;
  /** The fields by which the list can be filtered. */
  fields: Readonly<Record<string, (item: T) => Value>>;
  /** The fields that are times; the first one applies when the query filters by no time. */
  times: readonly string[];
  createdTime: (item: T) => number;
  nowMs: number;
};

/**
 * Returns the page of a list that the query requests, newest first.
 *
 * All filters must match. Time filters span 90 days at most; without one the list covers the latest
 * 90 days. Throws BetaError 400 for an invalid query.
 */
export function pageOf<T>(items: readonly T[], listing: Listing<T>): T[] {
  const { query, fields, createdTime } = listing;
  const offset = wholeNumber(query, 'offset', 0);
  const limit = Math.min(wholeNumber(query, 'limit', DEFAULT_LIMIT), MAX_LIMIT);
  const conditions = query.getAll('filter').map((text) => readCondition(text, Object.keys(fields)));
  conditions.push(...impliedTimeBounds(conditions, listing));
  return items
    .filter((item) =>
      conditions.every((condition) => matches(fields[condition.name]?.(item), condition)),
    )
    .sort((a, b) => createdTime(b) - createdTime(a))
    .slice(offset, offset + limit);
}

function readCondition(text: string, names: readonly string[]): Condition {
  const [, name, operator, wanted] = /^([A-Za-z.]+)(>=|<=|!=|=|>|<)(.+)$/.exec(text) ?? [];
  if (name === undefined || operator === undefined || wanted === undefined) {
    throw new BetaError(400, { message: `Invalid filter: ${text}` });
  }
  if (!names.includes(name)) {
    throw new BetaError(400, { message: `Cannot filter by ${name}, only by ${names.join(', ')}` });
  }
  return { name, operator, wanted };
}

/** Returns the time bounds that apply although the query does not name them. */
function impliedTimeBounds<T>(conditions: readonly Condition[], listing: Listing<T>): Condition[] {
  const { times, nowMs } = listing;
  const asked = conditions.filter(({ name }) => times.includes(name));
  const name = asked[0]?.name ?? times[0];
  if (name === undefined) return [];
  const bounds = asked.map(({ operator, wanted }) => ({ operator, at: Number(wanted) }));
  if (bounds.some(({ at }) => !Number.isFinite(at))) {
    throw new BetaError(400, { message: 'Times are milliseconds since 1970.' });
  }
  const lower = bounds.filter(({ operator }) => /[>=]/.test(operator[0] ?? ''));
  const upper = bounds.filter(({ operator }) => /[<=]/.test(operator[0] ?? ''));
  const until = Math.min(nowMs, ...upper.map(({ at }) => at));
  const from = Math.max(...lower.map(({ at }) => at));
  if (lower.length === 0) return [{ name, operator: '>=', wanted: String(until - WINDOW_MS) }];
  if (until - from > WINDOW_MS) {
    throw new BetaError(400, { message: 'Time filters must span 90 days at most.' });
  }
  return [];
}

function matches(value: Value, { operator, wanted }: Condition): boolean {
  if (value === undefined) return false;
  const [is, limit] = typeof value === 'number' ? [value, Number(wanted)] : [value, wanted];
  if (operator === '=') return is === limit;
  if (operator === '!=') return is !== limit;
  if (operator === '>') return is > limit;
  if (operator === '<') return is < limit;
  return operator === '>=' ? is >= limit : is <= limit;
}

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new BetaError(400, { message: `Invalid ${name}: ${text}` });
  return Number(text);
}
