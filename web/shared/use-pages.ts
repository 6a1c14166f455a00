import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { Pages } from '../../sdk/index.ts';

/**
 * A list that grows by a page when `more` is called. `key` names what is listed, with its filters:
 * a list by other filters is another list.
 */
export function usePages<Item>(key: readonly unknown[], list: () => Pages<Item>) {
  const queries = useQueryClient();
  const queryKey = [...key, 'pages'];
  const query = useInfiniteQuery({
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
