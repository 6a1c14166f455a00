import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pages } from '../../sdk/index.ts';
import { latestOf, newsIn } from './news.ts';

/** So often an open page asks what is new; one in the background does not. */
const ASK_AGAIN_MS = 10_000;

/**
 * A list that grows by a page when `more` is called. `key` names what is listed, with its filters:
 * a list by other filters is another list.
 */
export function usePages<Item>(
  key: readonly unknown[],
  list: () => Pages<Item>,
  options: { refetchOnWindowFocus?: false; staleTime?: number } = {},
) {
  const queries = useQueryClient();
  const queryKey = [...key, 'pages'];
  const query = useInfiniteQuery({
    ...options,
    queryKey,
    queryFn: ({ pageParam }) => list().page(pageParam),
    initialPageParam: firstPage(),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return {
    ...query,
    items: query.data?.pages.flatMap(({ items }) => items),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    stop: () => void queries.cancelQueries({ queryKey }),
  };
}

/**
 * The same, with its first items as they are now, and how many have come before them since it was
 * read: these are not shown before it is read again, so that nothing moves under the eyes of who
 * reads it.
 */
export function useLivePages<Item extends { id: string }>(
  key: readonly unknown[],
  list: () => Pages<Item>,
) {
  const queries = useQueryClient();
  const pages = usePages(key, list, { refetchOnWindowFocus: false });
  const later = useQuery({
    queryKey: [...key, 'later'],
    queryFn: async () => (await list().page(undefined)).items,
    // What is shown was read just now.
    initialData: [],
    staleTime: ASK_AGAIN_MS,
    refetchInterval: ASK_AGAIN_MS,
  });
  return {
    ...pages,
    items: latestOf(later.data, pages.items),
    news: newsIn(later.data, pages.items),
    /** Reads it again, with what else is shown of it by the same filters. */
    refetch: () => queries.invalidateQueries({ queryKey: key }),
  };
}

/** What `usePages` returns, for components that show any list. */
export type PagedList<Item> = {
  items: Item[] | undefined;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  more(): void;
  /** Waits no longer for what `more` asked for. */
  stop(): void;
  refetch(): unknown;
};

function firstPage(): string | undefined {
  return undefined;
}
