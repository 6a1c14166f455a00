import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useShop } from './shop.tsx';

/** Since midnight, where the till is. */
function startOfDay(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}

/** What this shop has taken today, newest first. */
export function useUsedToday() {
  const client = useClient();
  const { id } = useShop();
  const [from] = useState(startOfDay);
  return usePages(['used', id], () => client.all.listUsedRedemptions({ from }, { shop: id }));
}

/** Follows what all tills of the shop take, for as long as the app is open. */
export function useShopEvents(): void {
  const client = useClient();
  const queries = useQueryClient();
  const { id } = useShop();
  useEffect(() => {
    const leave = new AbortController();
    const follow = async () => {
      const queryKey = ['used', id];
      for await (const _ of client.followShopEvents({ shop: id, signal: leave.signal })) {
        void queries.invalidateQueries({ queryKey });
      }
    };
    // It ends for good only when the person may no longer see this: other calls say why.
    follow().catch(() => queries.invalidateQueries());
    return () => leave.abort();
  }, [client, queries, id]);
}
