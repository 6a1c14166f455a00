import { Component, type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { commonTexts } from '../../texts/common.ts';
import { useSession } from '../client.tsx';
import { Button } from './basics.tsx';

/** A page of an app, by its address below the app's. */
export type NavEntry = { href: string; text: string };

/** The frame of an app: its name, its pages, who uses it, and the page that is shown. */
export function Frame(props: {
  title: string;
  pages: readonly NavEntry[];
  /** What stands beside the name, such as the shop. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { now, signOut } = useSession();
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {commonTexts.skip}
      </a>
      <header className="top">
        <div className="top-row">
          <p className="app-name">{props.title}</p>
          {props.aside}
          <div className="who">
            {now.status === 'signed-in' && <span className="who-name">{now.name}</span>}
            {now.status === 'signed-in' && (
              <Button size="small" onClick={() => void signOut()}>
                {commonTexts.signOut}
              </Button>
            )}
          </div>
        </div>
        {props.pages.length > 0 && <Navigation pages={props.pages} />}
      </header>
      <main id="content" className="page" tabIndex={-1}>
        {props.children}
      </main>
    </div>
  );
}

function Navigation({ pages }: { pages: readonly NavEntry[] }) {
  const [path] = useLocation();
  const isHere = (href: string) => (href === '/' ? path === '/' : path.startsWith(href));
  return (
    <nav className="nav" aria-label={commonTexts.pages}>
      {pages.map(({ href, text }) => (
        <Link key={href} href={href} aria-current={isHere(href) ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** The heading of a page, which is also the title of the window. */
export function PageTitle(props: { children: string; back?: NavEntry; action?: ReactNode }) {
  const title = props.children;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="page-head">
      {props.back !== undefined && (
        <Link className="back" href={props.back.href}>
          ← {props.back.text}
        </Link>
      )}
      <h1>{title}</h1>
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
      <div className="page" role="alert">
        <p>{commonTexts.broken}</p>
        <Button onClick={() => location.reload()}>{commonTexts.reload}</Button>
      </div>
    );
  }
}
