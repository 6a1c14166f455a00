import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  refuseComplexEvent,
  refuseComplexJson,
} from '../../../../api/http/requests/json-structure.ts';

const TOO_COMPLEX = expect.objectContaining({
  issues: [expect.objectContaining({ code: 'too_complex' })],
});
const refusing = (text: string, maxElements = 1_000) => {
  try {
    refuseComplexJson('body', text, maxElements);
    return undefined;
  } catch (error) {
    return error;
  }
};

/** How many of `[ { ,` the JSON of a parsed value has outside strings. */
function elementsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  const commas = Math.max(0, children.length - 1);
  return children.reduce((sum: number, child) => sum + elementsOf(child), 1 + commas);
}

describe('the structure of JSON', () => {
  it('accepts 1,000 elements and refuses 1,001', () => {
    expect(refusing(`[${'0,'.repeat(999)}0]`)).toBeUndefined();
    expect(refusing(`[${'0,'.repeat(1_000)}0]`)).toEqual(TOO_COMPLEX);
    expect(refusing(`[${'[],'.repeat(500)}0]`)).toEqual(TOO_COMPLEX);
    expect(refusing(`[${'{}'.repeat(1_000)}`)).toEqual(TOO_COMPLEX);
  });

  it('accepts 20 levels and refuses 21', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}`;
    expect(refusing(nested(20))).toBeUndefined();
    expect(refusing(`${nested(20)}[`)).toEqual(TOO_COMPLEX);
    // What is closed again is not nested.
    expect(refusing('[],'.repeat(100))).toBeUndefined();
  });

  it.each([
    ['short', '[{,'.repeat(10)],
    ['long', '[{,'.repeat(5_000)],
    ['with quotes in it', '\\",[{'.repeat(500)],
    ['that ends with a backslash', `${'['.repeat(100)}\\\\`],
    ['with backslashes before its end', `${'['.repeat(100)}${'\\\\'.repeat(99)}`],
    ['with a quote far into it', `${'['.repeat(100)}\\"${'['.repeat(100)}`],
    ['with letters of several bytes', 'é,😀['.repeat(1_000)],
  ])('counts nothing in a string: %s', (_, text) => {
    expect(refusing(`{"a":"${text}"}`, 1)).toBeUndefined();
    expect(refusing(`{"a":"${text}","b":1}`, 1)).toEqual(TOO_COMPLEX);
  });

  it('counts nothing after a quote that is never closed', () => {
    expect(refusing(`"${'['.repeat(2_000)}`)).toBeUndefined();
    expect(refusing(`"${'\\'.repeat(2_001)}`)).toBeUndefined();
  });

  it('counts as the parser does, for any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const elements = elementsOf(JSON.parse(text));
        expect(refusing(text, elements)).toBeUndefined();
        if (elements > 0) expect(refusing(text, elements - 1)).toEqual(TOO_COMPLEX);
      }),
    );
  });
});

describe('the structure of an event', () => {
  it('accepts 100,000 elements and refuses more', () => {
    const event = (elements: number) => Buffer.from(`["é"${',0'.repeat(elements - 1)}]`);
    refuseComplexEvent(event(100_000));
    expect(() => refuseComplexEvent(event(100_001))).toThrow('more than 100000 elements');
  });
});
