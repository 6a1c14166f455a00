import { expect, it } from 'vitest';
import { columnArrays } from '../../db/column-arrays.ts';
import { useDatabase } from '../support/fixtures.ts';

const { db } = await useDatabase();

const SALES = columnArrays<{ shop: string; amounts: number[] }>('sale', {
  shop: ['text', ({ shop }) => shop],
  amount: ['bigint', ({ amounts: [first] }) => first ?? null],
});

it('gives a statement rows by columns', async () => {
  const sold = [
    { shop: 'Olivia', amounts: [3, 4] },
    { shop: 'Bodega', amounts: [] },
  ];
  expect(SALES.names).toEqual(['shop', 'amount']);
  expect(SALES.bind(sold)).toEqual({ sale_shop: ['Olivia', 'Bodega'], sale_amount: [3, null] });
  const { rows } = await db.raw(`select * from ${SALES.source}`, SALES.bind(sold));
  expect(rows).toEqual([
    { shop: 'Olivia', amount: 3 },
    { shop: 'Bodega', amount: null },
  ]);
});
