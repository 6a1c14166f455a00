import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { elementsOf } from '../../../../api/http/replies/json-pieces.ts';

const row = z.object({ n: z.int() });

async function piecesOf(numbers: readonly number[], itemsOfAPiece: number): Promise<string[]> {
  const table = {
    row,
    read: async (limit: number, after = 0) => numbers.filter((n) => n > after).slice(0, limit),
    show: (n: number) => ({ n, secret: 'not declared' }),
  };
  const pieces: string[] = [];
  for await (const piece of elementsOf(table, itemsOfAPiece)) pieces.push(piece);
  return pieces;
}

describe('elementsOf', () => {
  it.each([
    [[], []],
    [[1], ['{"n":1}']],
    [
      [1, 2, 3],
      ['{"n":1},{"n":2}', ',{"n":3}'],
    ],
    [
      [1, 2, 3, 4],
      ['{"n":1},{"n":2}', ',{"n":3},{"n":4}'],
    ],
  ])('writes %j in pieces of two, as far as they are declared', async (numbers, pieces) => {
    expect(await piecesOf(numbers, 2)).toEqual(pieces);
  });

  it('ends with the error of an item that is not as declared', async () => {
    await expect(piecesOf([1, 2, 2.5], 2)).rejects.toThrow();
  });
});
