import { z } from 'zod';
import { parseJson } from '../../../domain/json.ts';
import { type Page, page } from './reply.ts';

const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 1_000;

/** Builds a `limit` parameter: a whole number from 1, by default `fallback`, capped at 100. */
export function pageLimit(fallback: number) {
  return z
    .string()
    .refine((text) => /^0*[1-9][0-9]*$/.test(text), 'must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), MAX_PAGE_SIZE))
    .default(fallback)
    .meta({
      description: `How many items to return. ${MAX_PAGE_SIZE} is the most; more counts as that.`,
      override: { type: 'integer', minimum: 1, default: fallback },
    });
}

/**
 * Builds a `cursor` parameter: the opaque text of a `Link` header, decoded into its position. Text
 * that is not a cursor, or is a cursor of another list, is an issue.
 */
export function pageCursor<Position extends z.ZodType>(position: Position) {
  return z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((text, context): z.output<Position> => {
      const result = position.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
      if (result.success) return result.data;
      context.addIssue('must be a cursor of this list, taken from a Link header');
      return z.NEVER;
    })
    .optional()
    .meta({
      description: 'Where the page starts, taken from the `Link` header of the previous page.',
      override: { type: 'string' },
    });
}

/**
 * Reads a page of a list. `read` is asked for one item more than is shown; if that exists, there is
 * a next page, which starts after the last item shown.
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

/** Encodes a position as opaque text. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Builds the `Link` header to the page after `position`: the address with its cursor replaced. */
export function nextLink(address: URL, position: readonly string[]): string {
  const next = new URL(address);
  next.searchParams.set('cursor', encodeCursor(position));
  return `<${next.href}>; rel="next"`;
}
