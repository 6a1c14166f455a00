import { Component, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { commonTexts } from '../../texts/en/common.ts';
import { AccountMenu } from './account-menu.tsx';
import { Button } from './basics.tsx';
import { Icon } from './icons.tsx';
import { type NavEntry, SideMenu, Tabs } from './navigation.tsx';

export type { NavEntry } from './navigation.tsx';

/** The frame of an app: its name, its pages, who uses it, and the page that is shown. */
export function Frame(props: {
  title: string;
  pages: readonly NavEntry[];
  /** What stands beside the name, such as the shop. */
  aside?: ReactNode;
  /** What the account menu offers besides signing out, as `menu-item` buttons and links. */
  account?: ReactNode;
  children: ReactNode;
}) {
  const { pages } = props;
  const content = useRef<HTMLElement>(null);
  useFocusOnPage(content);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {commonTexts.skip}
      </a>
      <header className="top">
        <p className="app-name">
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>{props.title}</span>
        </p>
        <div className="top-aside">{props.aside}</div>
        <AccountMenu>{props.account}</AccountMenu>
      </header>
      {pages.length > 0 && <SideMenu pages={pages} />}
      <main id="content" className="page" tabIndex={-1} ref={content}>
        {props.children}
      </main>
      {pages.length > 0 && <Tabs pages={pages} />}
    </div>
  );
}

/**
 * Moves to a new page those who cannot see that it is one: the focus goes to its heading, and a
 * page that was not gone back to is shown from its top. A field that took the focus keeps it.
 */
function useFocusOnPage(content: RefObject<HTMLElement | null>): void {
  const [path] = useLocation();
  const last = useRef(path);
  const isBack = useRef(false);
  useEffect(() => {
    const back = () => {
      isBack.current = true;
    };
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    const page = content.current;
    if (!isBack.current) scrollTo(0, 0);
    isBack.current = false;
    const hasField = page?.querySelector(':is(input, textarea, select):focus') !== null;
    if (hasField) return;
    const heading = page?.querySelector('h1');
    heading?.focus({ preventScroll: true });
    // A page that is still loading has none that can have the focus: it takes it from here.
    if (document.activeElement !== heading) page?.focus({ preventScroll: true });
  }, [path, content]);
}

/** The heading of a page, which is also the title of the window. */
export function PageTitle(props: { children: string; back?: NavEntry; action?: ReactNode }) {
  const title = props.children;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (document.activeElement?.id === 'content') heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="page-head">
      {props.back !== undefined && (
        <Link className="back" href={props.back.href}>
          <Icon name="back" />
          {props.back.text}
        </Link>
      )}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {props.action}
    </div>
  );
}

/** Shows what can still be done when a page has a bug, instead of nothing. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="start">
        <p role="alert">{commonTexts.broken}</p>
        <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
          {commonTexts.reload}
        </Button>
      </main>
    );
  }
}
