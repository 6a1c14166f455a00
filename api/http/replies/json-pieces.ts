import type { Table } from './csv.ts';

export const JSON_TYPE = 'application/json';

/** How many items one piece of an array holds, all of which are in memory at once. */
export const ITEMS_OF_A_PIECE = 500;

/**
 * Makes the elements of a JSON array of a table, a piece for each page, without the brackets. What
 * the schema of a row does not declare is left out.
 */
export async function* elementsOf<Item>(
  { row, read, show }: Table<Item>,
  itemsOfAPiece = ITEMS_OF_A_PIECE,
): AsyncGenerator<string> {
  let after: Item | undefined;
  for (;;) {
    const items = await read(itemsOfAPiece, after);
    const elements = items.map((item) => JSON.stringify(row.parse(show(item))));
    if (elements.length > 0) yield `${after === undefined ? '' : ','}${elements.join(',')}`;
    if (items.length < itemsOfAPiece) return;
    after = items.at(-1);
  }
}
