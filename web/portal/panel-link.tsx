import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Shown, usePanelLink } from './panel-address.ts';

/** Opens the panel about something; in a table, a press anywhere on its row does. */
export function PanelLink(props: {
  shows: Shown;
  id: string;
  label?: string | undefined;
  children: ReactNode;
}) {
  const { shows, id, label, children } = props;
  return (
    <Link {...usePanelLink(`${shows}-${id}`)} className="row-link" aria-label={label}>
      {children}
    </Link>
  );
}
