import { lazy, Suspense } from 'react';
import { Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { tillTexts } from '../texts/en/till.ts';
import { useLock } from './lock.tsx';

const Settings = lazy(() => import('./settings.tsx'));
const { settings: texts, lock: lockTexts } = tillTexts;

/** Locks the till, where a PIN opens it again. */
export function LockButton() {
  const { idleMinutes, lock } = useLock();
  if (idleMinutes === undefined) return null;
  return (
    <button type="button" className="icon-button" aria-label={lockTexts.lock} onClick={lock}>
      <Icon name="lock" />
    </button>
  );
}

/** The entry of the account menu that leads to what is set for this till. */
export function SettingsEntry({ onOpen }: { onOpen(): void }) {
  return (
    <button
      type="button"
      className="menu-item"
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onOpen();
      }}
    >
      <Icon name="rules" />
      {texts.title}
    </button>
  );
}

/** What is set for this till, above the page. */
export function SettingsDialog(props: { isOpen: boolean; onClose(): void }) {
  return (
    <Dialog {...props} title={texts.title}>
      <Suspense fallback={<Skeleton />}>
        <Settings onDone={props.onClose} />
      </Suspense>
    </Dialog>
  );
}
