import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { commonTexts } from '../../texts/en/common.ts';
import { Icon } from './icons.tsx';

/**
 * Leads from every page to the app's search, also by the key `/`; on a page that has a field to
 * search with, the key leads to that.
 */
export function SearchLink({ href, state }: { href: string; state?: object }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isBusy(event.target)) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('#content input[type=search]');
      if (field === null) link.current?.click();
      else field.select();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <Link className="top-search" ref={link} href={href} state={state} aria-keyshortcuts="/">
      <Icon name="search" />
      <span>{commonTexts.search}</span>
    </Link>
  );
}

/** Whether the key may be meant for something else: a text, or what lies above the page. */
function isBusy(target: EventTarget | null): boolean {
  const isTyping = target instanceof Element && target.matches('input, textarea, select');
  return isTyping || document.querySelector('[role=dialog]') !== null;
}
