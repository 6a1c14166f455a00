import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  encodeCursor,
  nextLink,
  pageCursor,
  pageLimit,
} from '../../../../api/http/replies/pagination.ts';

describe('pageLimit', () => {
  it.each([
    { given: undefined, limit: 20, because: 'it is the default' },
    { given: '1', limit: 1, because: 'it is the minimum' },
    { given: '007', limit: 7, because: 'it is a whole number' },
    { given: '100', limit: 100, because: 'it is the maximum' },
    { given: '101', limit: 100, because: 'more is clamped' },
    { given: '9'.repeat(400), limit: 100, because: 'much more is clamped too' },
  ])('$given is $limit: $because', ({ given, limit }) => {
    expect(pageLimit(20).parse(given)).toBe(limit);
  });

  it.each(['0', '00', '-1', '1.5', '1e2', 'ten', '', ' 1', '0x10', '١', ['1', '2']])(
    'refuses %j',
    (given) => {
      expect(pageLimit(20).safeParse(given).success).toBe(false);
    },
  );
});

describe('pageCursor', () => {
  const position = z.tuple([z.iso.datetime({ precision: 6 }), z.uuid()]);
  const last = ['2026-01-15T10:00:00.123456Z', '5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b'] as const;

  it('returns the position that was encoded', () => {
    expect(pageCursor(position).parse(encodeCursor(last))).toEqual(last);
  });

  it('is optional', () => {
    expect(pageCursor(position).parse(undefined)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['not base64', '%%%'],
    ['not JSON', Buffer.from('nonsense').toString('base64url')],
    ['truncated', encodeCursor(last).slice(0, -8)],
    ['of another list', encodeCursor(['5'])],
    ['an object', Buffer.from('{"__proto__":[]}').toString('base64url')],
    ['nested too deeply', Buffer.from('['.repeat(700)).toString('base64url')],
    ['too long', 'a'.repeat(1_001)],
  ])('refuses a cursor that is %s', (_, given) => {
    expect(pageCursor(position).safeParse(given).success).toBe(false);
  });
});

describe('nextLink', () => {
  it('is the same address with a new cursor', () => {
    const address = new URL('https://api.shop.example/api/v1/x?limit=2&cursor=old&q=a%20b');
    const [, href = ''] = /^<(.*)>; rel="next"$/.exec(nextLink(address, ['7'])) ?? [];
    const next = new URL(href);
    expect(`${next.origin}${next.pathname}`).toBe('https://api.shop.example/api/v1/x');
    expect([...next.searchParams]).toEqual([
      ['limit', '2'],
      ['cursor', encodeCursor(['7'])],
      ['q', 'a b'],
    ]);
  });
});
