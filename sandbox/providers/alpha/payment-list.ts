import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Payment } from './model.ts';
import { AlphaError } from './refusal.ts';

const MAX_LIMIT = 100;
const CURSOR_LIFE_MS = 15 * 60_000;
const YEAR_MS = 365 * 24 * 3_600_000;

const KNOWN_PARAMETERS = new Set([
  'begin_time',
  'end_time',
  'updated_at_begin_time',
  'updated_at_end_time',
  'offline_begin_time',
  'offline_end_time',
  'sort_field',
  'sort_order',
  'location_id',
  'limit',
  'cursor',
  'total',
  'last_4',
  'card_brand',
  'is_offline_payment',
]);
const TIME_OF = {
  CREATED_AT: (payment: Payment) => payment.created_at,
  UPDATED_AT: (payment: Payment) => payment.updated_at,
  OFFLINE_CREATED_AT: (payment: Payment) => payment.offline_payment_details?.client_created_at,
};
const Time = z.iso.datetime({ offset: true });
const Cursor = z.object({ query: z.string(), at: z.number(), id: z.string(), issued: z.number() });

type Query = ReadonlyMap<string, string>;
type TimedPayment = { payment: Payment; at: number };
type Page = { payments?: Payment[]; cursor?: string };

/**
 * Returns a page of the payments that match the query's filters; `{}` when none does.
 *
 * Throws an AlphaError for an unknown parameter, an invalid value, and a cursor that has expired or
 * was issued for other parameters.
 */
export function listPayments(
  payments: Iterable<Payment>,
  parameters: URLSearchParams,
  context: { mainLocationId: string; now: Date },
): Page {
  const query: Query = new Map(parameters);
  for (const name of query.keys()) {
    if (!KNOWN_PARAMETERS.has(name)) {
      throw invalid('UNKNOWN_QUERY_PARAMETER', 'There is no such parameter.', name);
    }
  }
  const now = context.now.getTime();
  const field = oneOf(query, 'sort_field', ['CREATED_AT', 'UPDATED_AT', 'OFFLINE_CREATED_AT']);
  const direction = oneOf(query, 'sort_order', ['DESC', 'ASC']) === 'ASC' ? 1 : -1;
  const limit = readLimit(query);
  const accepts = filterOf(query, context);
  const after = readCursor(query, now);

  const placed: TimedPayment[] = [];
  for (const payment of payments) {
    const time = TIME_OF[field](payment);
    if (time !== undefined && accepts(payment)) placed.push({ payment, at: Date.parse(time) });
  }
  const isLater = (place: TimedPayment) =>
    after === undefined || direction * compare(place, { at: after.at, id: after.id }) > 0;
  const rest = placed
    .filter(isLater)
    .sort((a, b) => direction * compare(a, { at: b.at, id: b.payment.id }));

  const page = rest.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined) return {};
  const result: Page = { payments: page.map(({ payment }) => payment) };
  if (rest.length > limit) result.cursor = writeCursor(query, last, now);
  return result;
}

function compare(place: TimedPayment, other: { at: number; id: string }): number {
  if (place.at !== other.at) return place.at - other.at;
  if (place.payment.id === other.id) return 0;
  return place.payment.id < other.id ? -1 : 1;
}

function filterOf(query: Query, context: { mainLocationId: string; now: Date }) {
  const now = context.now.getTime();
  const created = readRange(query, ['begin_time', 'end_time'], [now - YEAR_MS, now]);
  const updated = readRange(query, ['updated_at_begin_time', 'updated_at_end_time']);
  const offline = readRange(query, ['offline_begin_time', 'offline_end_time']);
  const locationId = query.get('location_id') ?? context.mainLocationId;
  const matches = (name: string, value: string | undefined) =>
    !query.has(name) || query.get(name) === value;

  return (payment: Payment): boolean =>
    payment.location_id === locationId &&
    created(payment.created_at) &&
    updated(payment.updated_at) &&
    offline(payment.offline_payment_details?.client_created_at) &&
    matches('total', String(payment.total_money.amount)) &&
    matches('last_4', payment.card_details?.card.last_4) &&
    matches('card_brand', payment.card_details?.card.card_brand) &&
    matches('is_offline_payment', String(payment.offline_payment_details !== undefined));
}

/** Returns a test for times within both bounds, inclusive; without bounds every time passes. */
function readRange(
  query: Query,
  [beginName, endName]: readonly [string, string],
  defaults?: readonly [number, number],
): (time: string | undefined) => boolean {
  const begin = readTime(query, beginName) ?? defaults?.[0];
  const end = readTime(query, endName) ?? defaults?.[1];
  if (begin !== undefined && end !== undefined && begin > end) {
    throw invalid('INVALID_TIME_RANGE', `${beginName} is later than ${endName}.`, beginName);
  }
  if (begin === undefined && end === undefined) return () => true;
  return (time) => {
    if (time === undefined) return false;
    const at = Date.parse(time);
    return at >= (begin ?? -Infinity) && at <= (end ?? Infinity);
  };
}

function readTime(query: Query, name: string): number | undefined {
  const value = query.get(name);
  if (value === undefined) return undefined;
  if (!Time.safeParse(value).success) throw invalid('INVALID_TIME', 'Not an RFC 3339 time.', name);
  return Date.parse(value);
}

function readLimit(query: Query): number {
  const value = query.get('limit') ?? String(MAX_LIMIT);
  if (!/^-?\d+$/.test(value)) throw invalid('EXPECTED_INTEGER', 'Not an integer.', 'limit');
  if (Number(value) < 1) throw invalid('VALUE_TOO_LOW', 'Must be at least 1.', 'limit');
  return Math.min(Number(value), MAX_LIMIT);
}

function oneOf<T extends string>(query: Query, name: string, values: readonly [T, ...T[]]): T {
  const value = query.get(name) ?? values[0];
  const found = values.find((known) => known === value);
  if (found === undefined) {
    throw invalid('INVALID_ENUM_VALUE', `Must be one of ${values.join(', ')}.`, name);
  }
  return found;
}

function readCursor(query: Query, now: number) {
  const text = query.get('cursor');
  if (text === undefined || text === '') return undefined;
  try {
    const cursor = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    if (cursor.query === digest(query) && cursor.issued + CURSOR_LIFE_MS >= now) return cursor;
  } catch {
    // Refused below, like every cursor that was not issued for this list.
  }
  throw invalid(
    'INVALID_CURSOR',
    'The cursor has expired, or was issued for other parameters.',
    'cursor',
  );
}

function writeCursor(query: Query, last: TimedPayment, now: number): string {
  const cursor = { query: digest(query), at: last.at, id: last.payment.id, issued: now };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

function digest(query: Query): string {
  const fixed = [...query].filter(([name]) => name !== 'cursor').sort();
  return createHash('sha256').update(JSON.stringify(fixed)).digest('base64url').slice(0, 16);
}

function invalid(code: string, detail: string, field: string): AlphaError {
  return new AlphaError(400, code, detail, { field });
}
