import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { Button, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { showTimesIn } from '../shared/zone.ts';
import { tillTexts } from '../texts/en/till.ts';

type Shop = {
  id: string;
  name: string;
  shops: readonly { tenantId: string; name: string }[];
  currency: string | null;
  /** Whether sales can be attached to customers here. */
  attaches: boolean;
};

const ShopContext = createContext<{ shop: Shop; choose(id: string): void } | undefined>(undefined);
const REMEMBERED = 'loyalty.till.shop';

const JOINED = 'joined';

/** The address of the till of somebody who may work at another shop from now on. */
export function tillAfterJoining(shopId: string): string {
  return `/till/?${JOINED}=${shopId}`;
}

/** Has the till open at a shop the next time. */
export function rememberShop(shopId: string): void {
  localStorage.setItem(REMEMBERED, shopId);
}

/** The shop at whose till somebody works. */
export function useShop(): Shop {
  const context = useContext(ShopContext);
  if (context === undefined) throw new Error('This component needs an AtShop above it.');
  return context.shop;
}

/** Finds out at which shop somebody works: the one they chose last, else their first. */
export function AtShop(props: { profile: Schema['UserProfile']; children: ReactNode }) {
  const client = useClient();
  const { tenantIds } = props.profile;
  const [chosen, setChosen] = useState(() => localStorage.getItem(REMEMBERED) ?? '');
  const id = tenantIds.find((tenantId) => tenantId === chosen) ?? tenantIds[0] ?? '';
  const context = useQuery({
    queryKey: ['context', id],
    queryFn: () => client.showOperatorContext({}, { shop: id }),
  });
  if (context.data === undefined) {
    return (
      <main className="start">
        {context.error === null ? <Skeleton /> : <ErrorNotice error={context.error} />}
      </main>
    );
  }
  const { name, memberships: shops, currency, tillAttach: attaches, timeZone } = context.data;
  showTimesIn(timeZone);
  const choose = (shopId: string) => {
    rememberShop(shopId);
    setChosen(shopId);
  };
  return (
    // Other clocks change what is written anywhere below; what is begun at one shop is of no other.
    <ShopContext
      key={`${id} ${timeZone}`}
      value={{ shop: { id, name, shops, currency, attaches }, choose }}
    >
      {props.children}
    </ShopContext>
  );
}

/** The name of the shop; a choice, for those who work at several. */
export function ShopName() {
  const context = useContext(ShopContext);
  if (context === undefined) return null;
  const { id, name, shops } = context.shop;
  if (shops.length < 2) return <p className="shop-name">{name}</p>;
  return (
    <SelectField
      label={tillTexts.shop}
      value={id}
      options={shops.map((shop) => ({ value: shop.tenantId, text: shop.name }))}
      onValue={context.choose}
    />
  );
}

/** Says at which further shop somebody may work now, and has the till go over to it. */
export function JoinedShop() {
  const context = useContext(ShopContext);
  const [search] = useSearchParams();
  if (context === undefined) return null;
  const { shop, choose } = context;
  const joined = shop.shops.find(({ tenantId }) => tenantId === search.get(JOINED));
  if (joined === undefined || joined.tenantId === shop.id) return null;
  return (
    <Notice kind="good">
      <p>{tillTexts.joined.line(joined.name)}</p>
      <Button size="small" onClick={() => choose(joined.tenantId)}>
        {tillTexts.joined.change}
      </Button>
    </Notice>
  );
}
