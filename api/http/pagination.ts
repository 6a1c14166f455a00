import { z } from 'zod';
import { type Page, page } from './replies.ts';

const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 1_000;

/** A `limit` parameter: a whole number from 1, by default `fallback`, at most 100 (contract 2). */
export function pageLimit(fallback: number) {
  return z
    .string()
    .refine((text) => /^0*[1-9][0-9]*$/.test(text), 'must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), MAX_PAGE_SIZE))
    .default(fallback)
    .meta({
      description: `How many items to return; more than ${MAX_PAGE_SIZE} counts as ${MAX_PAGE_SIZE}.`,
      override: { type: 'integer', minimum: 1, default: fallback },
    });
}

/**
 * A `cursor` parameter: the opaque text of a `Link` header, read back into the position it stands
 * for. A text that is no cursor, or one of another list, is an issue.
 */
export function pageCursor<Position extends z.ZodType>(position: Position) {
  return z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((text, context): z.output<Position> => {
      const result = position.safeParse(decode(text));
      if (result.success) return result.data;
      context.addIssue('is not a cursor of this list: take it from the Link header');
      return z.NEVER;
    })
    .optional()
    .meta({
      description: 'Where the page begins, as given by the `Link` header of the page before.',
      override: { type: 'string' },
    });
}

/**
 * Answers a page of a list. `read` is asked for one item more than is shown: if it is there, so is
 * another page, from the position after the last item shown.
 */
export async function readPage<Item, const Shown>(
  limit: number,
  list: {
    read(limit: number): Promise<readonly Item[]>;
    show(item: Item, index: number): Shown;
    position(item: Item): readonly string[];
  },
): Promise<Page<Shown[]>> {
  const found = await list.read(limit + 1);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return page(shown.map(list.show), last && list.position(last));
}

/** The opaque text that stands for a position. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The `Link` header to the page after `position`: the same address with its cursor replaced. */
export function nextLink(address: URL, position: readonly string[]): string {
  const next = new URL(address);
  next.searchParams.set('cursor', encodeCursor(position));
  return `<${next.href}>; rel="next"`;
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
