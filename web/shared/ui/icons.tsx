type IconName = keyof typeof PATHS;

/** Lines of 24 by 24, drawn for these apps. */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 13l4.5 4.5L19 7',
  offline: [
    'M3 3l18 18M8.5 15.5a5 5 0 017 0M5 12a10 10 0 014-2.4',
    'M14.5 9.5A10 10 0 0119 12M12 19h.01',
  ].join(''),
  camera: ['M4 8h3.5l1.5-2h6l1.5 2H20v11H4z', 'M12 16.5a3.2 3.2 0 100-6.4 3.2 3.2 0 000 6.4z'].join(
    '',
  ),
  menu: 'M4 7h16M4 12h16M4 17h16',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
} as const;

/** A decoration: what it stands for is said in words beside it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
