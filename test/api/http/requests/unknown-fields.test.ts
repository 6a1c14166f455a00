import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unknownFields } from '../../../../api/http/requests/unknown-fields.ts';

const Address = z.object({ city: z.string() });
const Order = z.object({
  points: z.int().default(1),
  address: Address.nullable().optional(),
  lines: z.array(z.object({ text: z.string().transform((text) => text.trim()) })).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  open: z.looseObject({ a: Address }).optional(),
  payment: z.union([z.object({ cash: z.int() }), z.object({ card: Address })]).optional(),
  moment: z
    .object({ at: z.string() })
    .transform(({ at }) => at)
    .optional(),
});

const namesOf = (input: unknown) =>
  unknownFields(Order, input).flatMap(({ keys, path }) =>
    keys.map((key) => [...path, key].join('.')),
  );

describe('unknown fields', () => {
  it('are none in input that the schema declares, or that is no object', () => {
    const declared = { points: 1, address: null, lines: [], labels: { any: 'x' } };
    expect(namesOf(declared)).toEqual([]);
    expect(namesOf({ open: { a: { city: 'x' }, other: 1 } })).toEqual([]);
    for (const input of [null, undefined, 1, 'x', [], [{ x: 1 }]])
      expect(namesOf(input)).toEqual([]);
  });

  it('are found at every depth', () => {
    const input = {
      pointz: 1,
      address: { city: 'x', zip: '1' },
      lines: [{ text: 'a' }, { text: 'b', txt: 'c' }],
      open: { a: { cty: 'x' } },
      moment: { at: 'x', zone: 'y' },
    };
    expect(namesOf(input)).toEqual([
      'pointz',
      'address.zip',
      'lines.1.txt',
      'open.a.cty',
      'moment.zone',
    ]);
  });

  it('are those of the option that fits best', () => {
    expect(namesOf({ payment: { card: { city: 'x' } } })).toEqual([]);
    expect(namesOf({ payment: { card: { city: 'x', zip: 1 } } })).toEqual(['payment.card.zip']);
  });

  it('include the names of an object’s own methods', () => {
    expect(namesOf({ toString: 1, hasOwnProperty: 2 })).toEqual(['toString', 'hasOwnProperty']);
  });
});
