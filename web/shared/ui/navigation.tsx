import { type ReactNode, useId } from 'react';
import { Link, useLocation } from 'wouter';
import { commonTexts } from '../../texts/en/common.ts';
import { Icon, type IconName } from './icons.tsx';

/** A page of an app, by its address below the app's. */
export type NavEntry = {
  href: string;
  text: string;
  icon?: IconName;
  /** What it stands below in the menu, together with those beside it of the same group. */
  group?: string;
  /** Addresses of pages that belong to it without being below its own. */
  also?: readonly string[];
};

type Group = { name: string | undefined; entries: NavEntry[] };

/** More than these do not fit beside each other on a phone. */
const MOST_TABS = 5;

/** The pages of an app below each other in their groups, for a wide window. */
export function SideMenu({ pages }: { pages: readonly NavEntry[] }) {
  return (
    <nav className="side" aria-label={commonTexts.pages}>
      <Groups pages={pages} />
    </nav>
  );
}

/**
 * The pages of an app beside each other at the thumb, for a phone. Where there are more than fit,
 * each group has one, which leads to its first page, and all pages are behind the last.
 */
export function Tabs({ pages }: { pages: readonly NavEntry[] }) {
  const isHere = useIsHere();
  const hasAll = pages.length <= MOST_TABS;
  const groups = hasAll
    ? pages.map((page) => ({ name: page.text, entries: [page] }))
    : groupsOf(pages);
  const shown = hasAll ? groups : groups.slice(0, MOST_TABS - 1);
  return (
    <nav className="tabs" aria-label={commonTexts.pages}>
      {shown.map(
        ({ name, entries: [first, ...others] }) =>
          first !== undefined && (
            <Link
              key={first.href}
              className="tab"
              href={first.href}
              aria-current={isHere(first, ...others) ? 'page' : undefined}
            >
              <PageIcon page={first} />
              <span>{name ?? first.text}</span>
            </Link>
          ),
      )}
      {!hasAll && <More pages={pages} isHere={!shown.some(({ entries }) => isHere(...entries))} />}
    </nav>
  );
}

function More({ pages, isHere }: { pages: readonly NavEntry[]; isHere: boolean }) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="tab"
        popoverTarget={id}
        aria-current={isHere ? 'page' : undefined}
      >
        <Icon name="menu" />
        <span>{commonTexts.morePages}</span>
      </button>
      <div id={id} popover="auto" className="popup sheet">
        <Groups pages={pages} />
      </div>
    </>
  );
}

function Groups({ pages }: { pages: readonly NavEntry[] }) {
  const isHere = useIsHere();
  return groupsOf(pages).map(({ name, entries }) => (
    <div key={entries[0]?.href} className="nav-group">
      {name !== undefined && <p className="nav-title">{name}</p>}
      <ul aria-label={name}>
        {entries.map((page) => (
          <li key={page.href}>
            <Link
              className="menu-item"
              href={page.href}
              aria-current={isHere(page) ? 'page' : undefined}
              onClick={({ currentTarget }) =>
                currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
              }
            >
              <PageIcon page={page} />
              {page.text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}

function PageIcon({ page: { icon } }: { page: NavEntry }): ReactNode {
  return icon === undefined ? null : <Icon name={icon} />;
}

/** Says of entries whether the page of one, or one that belongs to it, is shown. */
function useIsHere(): (...pages: NavEntry[]) => boolean {
  const [path] = useLocation();
  const isBelow = (href: string) => path === href || path.startsWith(`${href}/`);
  return (...pages) => pages.some(({ href, also = [] }) => [href, ...also].some(isBelow));
}

/** Entries beside each other of the same group together; one without a group is its own. */
function groupsOf(pages: readonly NavEntry[]): Group[] {
  const groups: Group[] = [];
  for (const page of pages) {
    const last = groups.at(-1);
    if (page.group !== undefined && last?.name === page.group) last.entries.push(page);
    else groups.push({ name: page.group, entries: [page] });
  }
  return groups;
}
