import { useInfiniteQuery } from '@tanstack/react-query';
import type { Pages } from '../../sdk/index.ts';

/**
 * A list that grows by a page when `more` is called. `key` names what is listed, with its filters:
 * a list by other filters is another list.
 */
export function usePages<Item>(key: readonly unknown[], list: () => Pages<Item>) {
  const query = useInfiniteQuery({
    queryKey: [...key, 'pages'],
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
  };
}

/** What `usePages` returns, for components that show any list. */
export type PagedList<Item> = {
  items: Item[] | undefined;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  more(): void;
  refetch(): unknown;
};

function firstPage(): string | undefined {
  return undefined;
}
