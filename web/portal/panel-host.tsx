import { lazy, Suspense, useState } from 'react';
import { usePanelAddress } from './panel-address.ts';

const Panel = lazy(() => import('./panel.tsx'));

/** The panel, which is loaded when one opens. */
export function PanelHost() {
  const isOpen = usePanelAddress().opens !== '';
  const [hasOpened, setHasOpened] = useState(isOpen);
  if (isOpen && !hasOpened) setHasOpened(true);
  return hasOpened ? (
    <Suspense>
      <Panel />
    </Suspense>
  ) : null;
}
