import { keysOf } from '../keys-of.ts';

export type IconName = keyof typeof PATHS;

/** Lines of 24 by 24, drawn for these apps. */
const PATHS = {
  account: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4.5 20.5a7.5 7.5 0 0115 0',
  alert: 'M12 3.5L2.5 20h19zM12 10v4.5M12 17.3h.01',
  back: 'M15 5l-7 7 7 7',
  camera: 'M4 8h3.5l1.5-2h6l1.5 2H20v11H4zM12 16.5a3.2 3.2 0 100-6.4 3.2 3.2 0 000 6.4z',
  check: 'M5 13l4.5 4.5L19 7',
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  connection: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 01-12 0zM12 17v4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  customers:
    'M9 11.5a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20a6.5 6.5 0 0113 0' +
    'M16 4.8a3.5 3.5 0 010 6.4M18 14.2a6.5 6.5 0 013.5 5.8',
  down: 'M12 5v14M6 13l6 6 6-6',
  gift: 'M4.5 11v9h15v-9M3 7h18v4H3zM12 7v13M12 7C9 2 4.5 4 8 7M12 7c3-5 7.5-3 4 0',
  history: 'M4 5v5h5M4.5 10a8 8 0 11-.3 4.5M12 8v4.5l3 2',
  home: 'M4 11l8-7 8 7v9h-5.5v-5.5h-5V20H4z',
  info: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5.5M12 7.5h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  offline:
    'M3 3l18 18M8.5 15.5a5 5 0 017 0M5 12a10 10 0 014-2.4M14.5 9.5A10 10 0 0119 12' + 'M12 19h.01',
  phone: 'M7 3h10v18H7zM11 17.8h2',
  plus: 'M12 5v14M5 12h14',
  points: 'M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2l-5.6 3.1 1.2-6.3L3 9.6l6.3-.8z',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v2M14 20h2M18 18h2v2',
  refresh: 'M20 5v5h-5M19.5 10a8 8 0 10.3 4.5',
  rules:
    'M4 6h9M19 6h1M4 12h1M11 12h9M4 18h7M17 18h3M16 8a2 2 0 100-4 2 2 0 000 4z' +
    'M8 14a2 2 0 100-4 2 2 0 000 4zM14 20a2 2 0 100-4 2 2 0 000 4z',
  sales: 'M5.5 3h13v18l-2.2-1.5-2.2 1.5-2.1-1.5L9.9 21l-2.2-1.5L5.5 21zM9 8h6M9 12h6',
  search: 'M11 17.5a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM16 16l4.5 4.5',
  shop:
    'M4 9.5V20h16V9.5M3 9l1.8-5h14.4L21 9a3 3 0 01-6 0 3 3 0 01-6 0 3 3 0 01-6 0z' +
    'M10 20v-5.5h4V20',
  language: 'M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  signOut: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  team: 'M5 5h14v15H5zM9.5 3v3.5h5V3M12 13a2 2 0 100-4 2 2 0 000 4zM8.5 17a3.5 3.5 0 017 0',
  ticket: 'M3 7h18v3.5a1.7 1.7 0 000 3.5V17H3v-3a1.7 1.7 0 000-3.5zM14 7v2M14 11v2M14 15v2',
  up: 'M12 19V5M6 11l6-6 6 6',
  webhook:
    'M12 8.5a2.5 2.5 0 10-2.5-2.5M12 8.5L8 16M18 19a3 3 0 10-2.6-4.5M18 16H9' +
    'M6 13a3 3 0 103 4.5',
} as const;

/** All of them, by name. */
export const ICONS = keysOf(PATHS);

/** What points along the line: right-to-left, it points the other way. */
const TURNING: ReadonlySet<IconName> = new Set<IconName>(['back', 'chevron', 'signOut']);

/** A decoration: what it stands for is said in words beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={TURNING.has(name) ? 'icon icon-turns' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
