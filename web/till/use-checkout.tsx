import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { useClient } from '../shared/client.tsx';
import { type Checkout, type CheckoutState, createCheckout } from './checkout.ts';
import { useShop } from './shop.tsx';
import { give } from './signals.ts';

const CheckoutContext = createContext<Checkout | undefined>(undefined);

/** Gives what is below it the checkout of the shop, which outlives each of its pages. */
export function CheckoutProvider({ children }: { children: ReactNode }) {
  const client = useClient();
  const queries = useQueryClient();
  const { id: shop } = useShop();
  const checkout = useMemo(() => {
    const onTaken = () => void queries.invalidateQueries({ queryKey: ['used', shop] });
    return createCheckout({ client, shop, onSignal: give, onTaken });
  }, [client, queries, shop]);
  useEffect(() => checkout.close, [checkout]);
  return <CheckoutContext value={checkout}>{children}</CheckoutContext>;
}

/** The checkout, and what it is about as it changes. */
export function useCheckout(): Checkout & { now: CheckoutState } {
  const checkout = useContext(CheckoutContext);
  if (checkout === undefined) throw new Error('This component needs a CheckoutProvider above it.');
  const now = useSyncExternalStore(checkout.subscribe, checkout.state);
  return { ...checkout, now };
}
