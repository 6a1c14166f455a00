import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConsumerEvent } from '../../sdk/index.ts';
import {
  type Schema,
  useClient,
  useProfile,
  useServiceClock,
  useSession,
} from '../shared/client.tsx';

export type Wallet = Schema['Wallet'];
export type Redemption = Schema['Redemption'];

/**
 * The query whose last answer outlives the page, for when there is no connection. Nothing else
 * does: whoever has the phone next must find neither an address nor a code.
 */
export const REMEMBERED = 'wallets';

/** The query of the member card, which is shown at counters without a connection as well. */
export const CARD = [REMEMBERED, 'card'];

/** The longest that a page waits for points that wait: timers of browsers end at 24 days. */
const DAY_MS = 24 * 3_600_000;

/** The wallets of the person, with what they are worth. */
export function useWallets() {
  const client = useClient();
  const clock = useServiceClock();
  return useQuery({
    queryKey: [REMEMBERED],
    queryFn: () => client.listWallets(),
    // Points that waited can be used without anything having happened that could be told.
    refetchInterval: ({ state: { data = [] } }) => {
      const releases = data.flatMap(({ nextRelease: at }) => (at === null ? [] : Date.parse(at)));
      if (releases.length === 0) return false;
      return Math.min(DAY_MS, Math.max(1_000, Math.min(...releases) - clock.now()));
    },
  });
}

/** How many of the points that a wallet holds wait until their purchases cannot be returned. */
export function waitingOf({ balance, available }: Wallet): number {
  return balance - available;
}

/** The member card of the person; an installation without programmes has none. */
export function useCard() {
  const client = useClient();
  const { data: profile } = useProfile();
  return useQuery({
    queryKey: CARD,
    queryFn: () => client.showMemberCard(),
    // Without a connection nobody knows the person, and the card of before is shown.
    enabled: profile?.hasProgrammes !== false,
  });
}

/** The wallet with this id, once it is known. */
export function useWallet(walletId: string): Wallet | undefined {
  return useWallets().data?.find(({ id }) => id === walletId);
}

/** The person, asked for again while purchases from before they came are being looked for. */
export function useMatchingProfile() {
  const client = useClient();
  return useQuery({
    queryKey: ['profile'],
    queryFn: () => client.showProfile(),
    // Often at first, since it takes seconds; whatever takes longer may take hours.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.isMatching === true && Math.min(60_000, 2_000 * dataUpdateCount),
  });
}

/** What governs the points of a wallet, and what its shop gives besides. */
export function useProgramme({ id: walletId, balance }: Wallet) {
  const client = useClient();
  return useQuery({
    // A first purchase ends what is for it, and a purchase may count towards a tier.
    queryKey: ['programme', walletId, balance],
    queryFn: () => client.showWalletProgramme({ walletId }),
    retry: false,
  });
}

/** The codes that can be used now. */
export function useOpenCodes() {
  const client = useClient();
  return useQuery({
    queryKey: ['redemptions', 'issued'],
    queryFn: () => client.listRedemptions({ status: 'issued' }),
  });
}

/** One code, whatever has become of it. */
export function useRedemption(redemptionId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['redemption', redemptionId],
    queryFn: () => client.showRedemption({ redemptionId }),
  });
}

/**
 * Follows what happens to the person's wallets and codes, and returns whether it is heard of at the
 * moment it happens. To be used once in the app.
 */
export function useLive(): boolean {
  const client = useClient();
  const queries = useQueryClient();
  const { now } = useSession();
  const [isLive, setLive] = useState(false);
  const isSignedIn = now.status === 'signed-in';
  useEffect(() => {
    if (!isSignedIn) return;
    const leave = new AbortController();
    const apply = (change: ConsumerEvent) => {
      if (change.event === 'wallet') {
        const { data: wallet } = change;
        const list = { queryKey: [REMEMBERED], exact: true };
        // One wallet is no list of all.
        queries.setQueryData<Wallet[]>(list.queryKey, (known) =>
          known?.some(({ id }) => id === wallet.id)
            ? known.map((one) => (one.id === wallet.id ? wallet : one))
            : known && [...known, wallet],
        );
        // An answer on its way may be older. Invalidating alone does not end a first request.
        void queries.cancelQueries(list).then(() => queries.invalidateQueries(list));
        void queries.invalidateQueries({ queryKey: ['history', wallet.id] });
      } else if (change.event === 'redemption') {
        const queryKey = ['redemption', change.data.id];
        queries.setQueryData<Redemption>(queryKey, change.data);
        void queries.invalidateQueries({ queryKey });
        void queries.invalidateQueries({ queryKey: ['redemptions'] });
        void queries.invalidateQueries({ queryKey: ['rewards'] });
      } else void queries.invalidateQueries();
    };
    const follow = async () => {
      const onDisconnect = () => setLive(false);
      for await (const change of client.followEvents({ signal: leave.signal, onDisconnect })) {
        setLive(true);
        apply(change);
      }
    };
    // It ends for good only when the person may no longer see this: other calls say why.
    follow().catch(() => {
      setLive(false);
      void queries.invalidateQueries();
    });
    return () => {
      leave.abort();
      setLive(false);
    };
  }, [client, queries, isSignedIn]);
  return isLive;
}

/** The service's time, each second. */
export function useNow(): number {
  const clock = useServiceClock();
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), 1_000);
    return () => clearInterval(timer);
  }, [clock]);
  return now;
}
