import fc from 'fast-check';
import { z } from 'zod';
import type { Route } from '../../../api/http/route.ts';

// Bodies are generated as JSON text, because much hostile input has no JavaScript value: 1e309, -0,
// a repeated key, half of a surrogate pair.

type Text = fc.Arbitrary<string>;

/** The bytes of a body and the headers that describe it. */
export type FuzzedBody = { bytes: Buffer; headers: Record<string, string> };

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

/** JSON, or almost JSON, that hardly any schema accepts. */
const hostileJson: Text = fc.constantFrom(
  'null',
  'true',
  '""',
  '" "',
  '0',
  '-0',
  '-1',
  '1.5',
  '0.0000001',
  '1e309',
  '-1e309',
  '9007199254740991',
  '9007199254740993',
  '2147483647',
  '2147483648',
  '1e-400',
  '5e-324',
  'NaN',
  'Infinity',
  'undefined',
  "'x'",
  '1n',
  '01',
  '"1"',
  '"NaN"',
  '[]',
  '{}',
  '[[]]',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufffd"',
  '"\\u202e"',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":1}',
  '{"a":{"prototype":{}}}',
  '"\'; drop table users; --"',
  '"%"',
  '"\\\\"',
  '"\u{1f600}"',
  '"e\u0301"',
  '"ﬁ"',
  '"\\n"',
  deep(31),
  deep(33),
  deep(5_000),
  `"${'x'.repeat(5_000)}"`,
  `"${'é'.repeat(300)}"`,
  '"2026-02-30T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59-14:00"',
  '{"length":1e9}',
  '{"toString":1,"valueOf":2,"toJSON":3}',
  '{"then":"x"}',
  '[null]',
);
const hostileKeys = ['__proto__', 'constructor', 'prototype', 'toString', '', '\0', 'ſ', 'unknown'];

/** The part of JSON Schema that the service's schemas use. */
type Shape = {
  type?: string | undefined;
  enum?: unknown[] | undefined;
  anyOf?: Shape[] | undefined;
  properties?: Record<string, Shape> | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
};
const Shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(Shape).optional(),
    properties: z.record(z.string(), Shape).optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
);

/** The JSON Schema of an input, such as a route's body or query. */
export function shapeOf(schema: z.ZodType): Shape {
  return Shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

/** JSON text that the schema accepts or nearly accepts, and sometimes any JSON. */
export function nearShape(shape: Shape): Text {
  return fc.oneof({ weight: 8, arbitrary: fitting(shape) }, { weight: 1, arbitrary: hostileJson });
}

function fitting(shape: Shape): Text {
  if (shape.enum) return fc.constantFrom(...shape.enum.map((each) => JSON.stringify(each)));
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(fitting));
  const { minimum = 0, maximum = 2 ** 53, maxLength = 60 } = shape;
  switch (shape.type) {
    case 'object':
      return objectText(Object.entries(shape.properties ?? {}).map(([k, v]) => [k, nearShape(v)]));
    case 'integer':
    case 'number': {
      const edges = [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1];
      const small = fc.oneof(fc.integer({ min: -2, max: 200 }), fc.constantFrom(0.5, 0.000001, 99));
      return fc.oneof(small, fc.constantFrom(...edges)).map((number) => JSON.stringify(number));
    }
    case 'string': {
      const length = Math.min(maxLength, 2_000);
      const edges = ['x'.repeat(length), 'x'.repeat(length + 1), 'DE', 'a@b.example', ' A@B.c '];
      return fc
        .oneof(fc.string({ maxLength: 20, unit: 'binary' }), fc.constantFrom(...edges))
        .map((text) => JSON.stringify(text));
    }
    default:
      return hostileJson;
  }
}

/** An object with these fields, some of them missing or repeated, and sometimes an unknown one. */
function objectText(fields: readonly (readonly [string, Text])[]): Text {
  const pairs = fields.map(([key, value]) =>
    fc.tuple(fc.constant(key), value, fc.constantFrom(0, 1, 1, 1, 1, 1, 1, 2)),
  );
  const unknown = fc.tuple(fc.constantFrom(...hostileKeys), hostileJson, fc.constant(1));
  return fc
    .tuple(
      fc.tuple(...pairs),
      fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, fc.tuple(unknown)),
    )
    .map(([own, foreign]) => {
      const all = [...own, ...foreign].flatMap(([key, value, times]) =>
        Array.from({ length: times }, () => `${JSON.stringify(key)}:${value}`),
      );
      return `{${all.join(',')}}`;
    });
}

/** JSON text of the example, with any part of it replaced or missing. */
export function nearExample(value: unknown): Text {
  const near = fc.constant(JSON.stringify(value));
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const inner = isObject
    ? objectText(Object.entries(value).map(([key, child]) => [key, nearExample(child)]))
    : near;
  return fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 4, arbitrary: inner },
    { weight: 1, arbitrary: hostileJson },
  );
}

const json = { 'content-type': 'application/json' };
const oddTypes = fc.constantFrom<Record<string, string>>(
  ...['text/plain', 'application/json; charset=utf-16', 'application/json;;', '', 'JSON'].map(
    (type) => ({ 'content-type': type }),
  ),
  {},
  { 'content-type': 'application/vnd.api+json' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { ...json, 'content-encoding': 'gzip' },
  { ...json, 'content-encoding': 'br, identity' },
  { ...json, 'content-encoding': 'identity' },
);
type Damage = 'none' | 'cut' | 'broken UTF-8' | 'BOM' | 'NUL' | 'twice' | 'too large' | 'empty';

/** The text as bytes, sometimes damaged or sent with a wrong content type. */
export function asBody(text: Text): fc.Arbitrary<FuzzedBody> {
  const damage = fc.constantFrom<Damage>(
    ...Array.from({ length: 30 }, () => 'none' as const),
    'cut',
    'broken UTF-8',
    'BOM',
    'NUL',
    'twice',
    'too large',
    'empty',
  );
  const headers = fc.oneof(
    { weight: 12, arbitrary: fc.constant(json) },
    { weight: 1, arbitrary: oddTypes },
  );
  return fc.tuple(text, damage, headers, fc.nat()).map(([whole, how, sentHeaders, at]) => ({
    bytes: damaged(Buffer.from(whole), how, at),
    headers: sentHeaders,
  }));
}

function damaged(bytes: Buffer, how: Damage, at: number): Buffer {
  const middle = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, middle), bytes.subarray(middle)];
  switch (how) {
    case 'none':
      return bytes;
    case 'cut':
      return before;
    case 'broken UTF-8':
      return Buffer.concat([before, Buffer.from([0xc3, 0x28, 0xff]), after]);
    case 'BOM':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 'NUL':
      return Buffer.concat([before, Buffer.from([0]), after]);
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'too large':
      return Buffer.concat([bytes, Buffer.alloc(300 * 1024, ' ')]);
    case 'empty':
      return Buffer.alloc(0);
  }
}

/** Headers unrelated to the body; usually none. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    rarely('x-correlation-id', 'abc-1', 'a b', 'x'.repeat(129), '\xe9', '<x>', '', 'a\tb'),
    rarely('idempotency-key', 'k1', 'k2', 'k3', 'x'.repeat(300), 'a b', 'a\tb', '\xe9', ''),
    rarely('if-none-match', '*'),
    rarely('accept', 'text/html', '\xff', 'application/*;q=nonsense'),
    rarely('origin', 'https://app.shop.example', 'null', 'https://elsewhere.example'),
    rarely('x-http-method-override', 'DELETE'),
    rarely('range', 'bytes=0-0'),
    rarely('cookie', '\xff=;;=', 'x'.repeat(4_000)),
    rarely('x-forwarded-host', 'elsewhere.example'),
  )
  .map((some) => Object.assign({}, ...some));

function rarely(name: string, ...values: string[]): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => ({ [name]: value })) },
  );
}

/** Path segments that are invalid ids, or ids of no row. */
export const hostileSegments = fc.constantFrom(
  '%00',
  '%ff',
  '%E0%A4%A',
  '%',
  '%zz',
  '%2e%2e',
  '..',
  '%2f',
  '..%2f..',
  '%F0%9F%98%80',
  '-1',
  'not-an-id',
  '__proto__',
  'constructor',
  ':walletId',
  '*',
  '%25',
  "'",
  '(.*)+',
  '1e309',
  '+',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  'x'.repeat(3_000),
  '%ED%A0%80',
  '%EF%BF%BD',
);

/** A path segment: usually the real id, else its upper case, an unknown id or an invalid one. */
export function segment(real: string): Text {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(real) },
    { weight: 1, arbitrary: fc.constant(real.toUpperCase()) },
    { weight: 2, arbitrary: hostileSegments },
  );
}

const cursorTags = 'audit tenant invite operator version payment wallet seq'.split(' ');
const cursorParts = fc.constantFrom<unknown>(
  '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  '1',
  '0',
  '-1',
  '1e3',
  '0x10',
  ' 7 ',
  '',
  '1e309',
  '9007199254740991',
  '-9007199254740991',
  '2147483648',
  '-2147483649',
  'NaN',
  'Infinity',
  null,
  true,
  [],
  ['3'],
  {},
  2 ** 53,
  -1,
  0.5,
  '4200000000000000',
  '4200000000000001',
);
const cursors = fc
  .tuple(fc.constantFrom(...cursorTags), fc.array(cursorParts, { maxLength: 3 }))
  .map((position) => Buffer.from(JSON.stringify(position.flat())).toString('base64url'));
const limits = fc.constantFrom(
  '1',
  '2',
  '100',
  '101',
  '99999999999999999999',
  '1'.repeat(400),
  '007',
  '0',
  '-1',
  '1.5',
  '1e309',
  'NaN',
  '',
  '%D9%A3',
  '+1',
  '0x1',
  '%00',
  '1%0a',
);
const texts = fc.constantFrom(
  'staff',
  '%25',
  '_',
  '%5C',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%E0%A4%A',
  "'",
  '+49%20(170)',
  '',
  'x'.repeat(320),
  'x'.repeat(321),
  '%F0%9F%98%80',
  '%EF%BF%BD',
  '((((',
  '%2B',
  '1e309',
);
const unknownParameters = fc.constantFrom(
  'unknown=1',
  '__proto__=1',
  'constructor[prototype]=1',
  'limit[]=1',
  'limit[a]=1',
  '&&=&',
  '%00=1',
  '%ff',
  '=',
  'q',
  'cursor',
  'limit',
  'x'.repeat(5_000),
  'toString=1',
);

/** A query with the route's parameters and unknown ones, each missing, once or repeated. */
export function querystring(route: Route, ids: Readonly<Record<string, string>>): Text {
  const known = Object.keys(route.query?.shape ?? {}).map((name) => {
    const value = name === 'cursor' ? cursors : name === 'limit' ? limits : texts;
    return value.map((text) => `${name}=${text}`);
  });
  const unknown = { weight: known.length > 0 ? 1 : 4, arbitrary: unknownParameters };
  const parameter = fc.oneof(...known.map((arbitrary) => ({ weight: 3, arbitrary })), unknown);
  // The example has what is required.
  const example = Object.entries(Object(route.examples?.query));
  const fitting = example.map(([name, value]) => `${name}=${ids[name] ?? value}`);
  return fc
    .oneof(fc.constant(fitting), fc.array(parameter, { maxLength: 3 }))
    .map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`));
}
