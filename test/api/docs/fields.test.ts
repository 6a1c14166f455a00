import { describe, expect, it } from 'vitest';
import { fieldsOf, typeOf } from '../../../api/docs/fields.ts';

describe('the type of a schema', () => {
  it.each([
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ enum: ['a', 'b'] }, '<code>&quot;a&quot;</code>\n<code>&quot;b&quot;</code>'],
    [{ const: true }, '<code>true</code>'],
    [{ $ref: '#/components/schemas/Wallet' }, '<a href="#schema-Wallet">Wallet</a>'],
    [{ type: 'array', items: { type: 'integer' } }, 'list of integer'],
    [{}, 'any value'],
  ] satisfies [Parameters<typeof typeOf>[0], string][])('of %j is %s', (schema, markup) => {
    expect(typeOf(schema).markup).toBe(markup);
  });
});

describe('the fields of a schema', () => {
  it('are those of its parts and items too, each with whether it may be left out', () => {
    const { markup = '' } =
      fieldsOf({
        type: 'array',
        items: {
          allOf: [
            { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
            {
              type: 'object',
              properties: { rule: { type: 'object', properties: { rate: { type: 'number' } } } },
            },
          ],
        },
      }) ?? {};
    const fields = [...markup.matchAll(/<code>(\w+)<\/code>\s+<span class="type">([^<]+)/g)];
    expect(fields.map(([, name, about]) => `${name}: ${about}`)).toEqual([
      'id: string',
      'rule: object, may be left out',
      'rate: number, may be left out',
    ]);
  });

  it('are none of a value without any', () => {
    expect(fieldsOf({ type: 'string' })).toBeUndefined();
  });
});
