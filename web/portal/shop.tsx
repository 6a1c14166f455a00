import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { showTimesIn } from '../shared/zone.ts';
import { portalTexts } from '../texts/en/portal.ts';

type Overview = Schema['TenantOverview'];
type Shops = {
  tenantId: string;
  overview: Overview;
  all: readonly { id: string; name: string }[];
  choose(id: string): void;
};

const ShopContext = createContext<Shops | undefined>(undefined);
/** While a shop is set up, what is done elsewhere is seen: at a point of sale, or by a customer. */
const ASK_AGAIN_MS = 4_000;
const REMEMBERED = 'loyalty.portal.shop';
const POSTER_SEEN = 'loyalty.portal.poster.';

/** The shop that the portal shows, with its currency, its connection, its rule and its counts. */
export function useShop(): Overview & { tenantId: string; currency: string | null } {
  const context = useContext(ShopContext);
  if (context === undefined) throw new Error('This component needs an InShop above it.');
  const { tenantId, overview } = context;
  return { ...overview, tenantId, currency: overview.tenant.currency };
}

/** Finds the shop of a merchant, and opens one for who has none yet. */
export function InShop(props: { profile: Schema['UserProfile']; children: ReactNode }) {
  const { tenantIds } = props.profile;
  const [chosen, setChosen] = useState(() => localStorage.getItem(REMEMBERED) ?? '');
  const tenantId = tenantIds.find((id) => id === chosen) ?? tenantIds[0];
  const shops = useShops(tenantIds);
  const current = shops.data?.find(({ tenant }) => tenant.id === tenantId);
  if (tenantId === undefined) return <Opening />;
  if (current === undefined) {
    return (
      <main className="start">
        {shops.error === null ? <Skeleton /> : <ErrorNotice error={shops.error} />}
      </main>
    );
  }
  const choose = (id: string) => {
    localStorage.setItem(REMEMBERED, id);
    setChosen(id);
  };
  const { timeZone } = current.tenant;
  showTimesIn(timeZone);
  const all = (shops.data ?? []).map(({ tenant: { id, name } }) => ({ id, name }));
  return (
    // Other clocks change what is written anywhere below; a form begun at one shop is of no other.
    <ShopContext
      key={`${tenantId} ${timeZone}`}
      value={{ tenantId, overview: current, all, choose }}
    >
      {props.children}
    </ShopContext>
  );
}

const hasSold = ({ stats }: Overview) => stats.transactionCount > 0;

function useShops(tenantIds: readonly string[]) {
  const client = useClient();
  return useQuery({
    queryKey: ['shops', ...tenantIds],
    queryFn: () => Promise.all(tenantIds.map((tenantId) => client.showTenant({ tenantId }))),
    refetchInterval: ({ state }) => (state.data?.every(hasSold) ? false : ASK_AGAIN_MS),
  });
}

function Opening() {
  const client = useClient();
  const queries = useQueryClient();
  const opened = useQuery({
    queryKey: ['bootstrap'],
    queryFn: () => client.bootstrapWorkspace(),
  });
  const isOpen = opened.data !== undefined;
  useEffect(() => {
    if (isOpen) void queries.invalidateQueries({ queryKey: ['profile'] });
  }, [isOpen, queries]);
  return (
    <main className="start">
      <ErrorNotice error={opened.error} retry={opened.refetch} />
      {opened.error === null && <p role="status">{portalTexts.opening}</p>}
    </main>
  );
}

/** The name of the shop; a choice, for those who have several. */
export function ShopName() {
  const context = useContext(ShopContext);
  if (context === undefined) return null;
  const { tenantId, all, choose, overview } = context;
  if (all.length < 2) return <p>{overview.tenant.name}</p>;
  return (
    <SelectField
      label={portalTexts.shop}
      value={tenantId}
      options={all.map(({ id, name }) => ({ value: id, text: name }))}
      onValue={choose}
    />
  );
}

/** Remembers on this device that somebody has looked at the poster of a shop. */
export function notePosterSeen(tenantId: string): void {
  localStorage.setItem(`${POSTER_SEEN}${tenantId}`, 'seen');
}

/** Whether somebody has looked at the poster of a shop on this device. */
export function wasPosterSeen(tenantId: string): boolean {
  return localStorage.getItem(`${POSTER_SEEN}${tenantId}`) !== null;
}
