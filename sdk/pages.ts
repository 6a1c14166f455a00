/** The items of a list, to its end. Each iteration starts at the beginning. */
export type Pages<Item> = AsyncIterable<Item> & {
  /** The same, a page at a time: ask for the next one when it is to be shown. */
  pages(): AsyncGenerator<Item[], void, undefined>;
  /** One page: the first one, or that of a cursor that another page gave. */
  page(cursor?: string): Promise<Page<Item>>;
};

/** `nextCursor` is undefined on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | undefined };

/** Reads pages as they are asked for, each once. */
export function paged<Item>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
): Pages<Item> {
  async function* pages() {
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      cursor = page.nextCursor;
      yield page.items;
    } while (cursor !== undefined);
  }
  return {
    pages,
    page: (cursor) => read(cursor),
    async *[Symbol.asyncIterator]() {
      for await (const items of pages()) yield* items;
    },
  };
}

/**
 * The cursor of the next page from a `Link` header. Only the cursor is taken: the address in the
 * header is the service's public one, and the client may reach it by another.
 */
export function nextCursorOf(link: string | null): string | undefined {
  const [, target] = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URL(target, 'https://relative.invalid').searchParams.get('cursor') ?? undefined;
}
