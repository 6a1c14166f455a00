import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isLoyaltyError } from '../../sdk/index.ts';
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

/** A shop that refuses its till is asked again this often. */
const ASK_AGAIN_MS = 30_000;
/** A stream that is refused is refused before that. */
const REFUSED_WITHIN_MS = 3_000;

/**
 * Follows what all tills of the shop take, for as long as the app is open. Says whether the shop is
 * suspended.
 */
export function useShopEvents(): boolean {
  const client = useClient();
  const queries = useQueryClient();
  const { id } = useShop();
  const [isSuspended, setSuspended] = useState(false);
  useEffect(() => {
    const leave = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      const queryKey = ['used', id];
      next = setTimeout(() => setSuspended(false), REFUSED_WITHIN_MS);
      try {
        for await (const _ of client.followShopEvents({ shop: id, signal: leave.signal })) {
          void queries.invalidateQueries({ queryKey });
        }
      } catch (error) {
        if (leave.signal.aborted) return;
        clearTimeout(next);
        const isRefused = isLoyaltyError(error, 'tenant_suspended');
        setSuspended(isRefused);
        if (isRefused) next = setTimeout(() => void follow(), ASK_AGAIN_MS);
        // It ends for good only when the person may no longer see this: other calls say why.
        else void queries.invalidateQueries();
      }
    };
    void follow();
    return () => {
      leave.abort();
      clearTimeout(next);
    };
  }, [client, queries, id]);
  return isSuspended;
}
