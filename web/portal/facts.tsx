import { Fragment, type ReactNode } from 'react';
import type { Schema } from '../shared/client.tsx';
import { nameOf } from './customer-name.ts';
import { PanelLink } from './panel-link.tsx';

/** A fact by its name; what is false does not apply. */
export type Fact = readonly [name: string, value: ReactNode];

/** What is known of something, fact by fact. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** The customer of a sale or a code, with the way to all about them. */
export function CustomerLink({ consumer }: { consumer: Schema['Transaction']['consumer'] }) {
  if (consumer === null) return nameOf(consumer);
  return (
    <PanelLink shows="customer" id={consumer.userId}>
      {nameOf(consumer)}
    </PanelLink>
  );
}
