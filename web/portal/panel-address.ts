import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';

/** What the panel at the side can show of something with an id. */
export type Shown = 'sale' | 'code' | 'customer';

const NAME = 'open';

/**
 * What the address of the page says of the panel at the side; empty for none. `depth` says how many
 * steps back there is none. Panels that came from a link that was sent, before which nothing is,
 * count downwards from 0.
 */
export function usePanelAddress() {
  const [path] = useLocation();
  const search = useSearch();
  const state: unknown = useHistoryState();
  const asked = new URLSearchParams(search);
  const opens = asked.get(NAME) ?? '';
  const kept = typeof state === 'object' && state !== null && 'panels' in state && state.panels;
  const depth = typeof kept === 'number' ? kept : 0;
  return {
    opens,
    depth,
    /** Returns the address with another panel, or none. */
    with(shows: 'search' | `${Shown}-${string}` | undefined): string {
      const other = new URLSearchParams(asked);
      if (shows === undefined) other.delete(NAME);
      else other.set(NAME, shows);
      return other.size === 0 ? path : `${path}?${other}`;
    },
  };
}

/** What a link to a panel needs: its address, and what the browser keeps with it. */
export function usePanelLink(shows: 'search' | `${Shown}-${string}`) {
  const { opens, depth, ...address } = usePanelAddress();
  const isBelowSent = opens !== '' && depth <= 0;
  return { href: address.with(shows), state: { panels: isBelowSent ? depth - 1 : depth + 1 } };
}
