import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { brandOf } from '../brand.ts';

/** Gives what is below it the color of a shop; without one, it has the app's own. */
export function Branded({ color, children }: { color: string | null; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const style = place.current?.style;
    if (style === undefined || color === null) return;
    // Set by script: the policy of the page allows no style that is written into it.
    const { ground, onGround, ink } = brandOf(color);
    const values = { '--brand': ground, '--on-brand': onGround, '--brand-ink': ink };
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value);
    return () => {
      for (const name of Object.keys(values)) style.removeProperty(name);
    };
  }, [color]);
  return (
    <div className="branded" ref={place}>
      {children}
    </div>
  );
}
