type IconName = keyof typeof PATHS;

/** Lines of 24 by 24, drawn for these apps. */
const PATHS = {
  back: 'M15 5l-7 7 7 7',
  chevron: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 13l4.500 4.500L19 7',
  offline:
    'M3 3l18 18M8.500 15.500a5 5 0 017 0M5 12a10 10 0 014-2.400M14.500 9.500A10 10 0 0119 12M12 19h.01',
  camera:
    'M4 8h3.500l1.500-2h6l1.500 2H20v11H4zM12 16.500a3.200 3.200 0 100-6.400 3.200 3.200 0 000 6.400z',
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
