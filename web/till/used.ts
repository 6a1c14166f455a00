import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { midnight } from '../shared/period.ts';
import { usePages } from '../shared/use-pages.ts';
import { useShop } from './shop.tsx';

const startOfDay = () => midnight(new Date(), 0);

/** The last midnight where the till is, which may be on for days. */
function useStartOfDay(): string {
  const [start, setStart] = useState(startOfDay);
  useEffect(() => {
    // Not one timer for the next midnight: a device that slept, or whose clock was set, is late.
    const timer = setInterval(() => setStart(startOfDay()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return start;
}

/** What this shop has taken today, newest first. */
export function useUsedToday() {
  const client = useClient();
  const { id } = useShop();
  const from = useStartOfDay();
  return usePages(['used', id, from], () => client.all.listUsedRedemptions({ from }, { shop: id }));
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
