import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { commonTexts } from '../../texts/en/common.ts';
import { Icon } from './icons.tsx';

/** Long enough to be read twice. */
const SHOWN_MS = 7_000;

type Say = (text: string) => void;

const ToastContext = createContext<Say | undefined>(undefined);

/** Returns what says a sentence for a moment, above the page: that something was done. */
export function useToast(): Say {
  const say = useContext(ToastContext);
  if (say === undefined) throw new Error('This component needs a ToastProvider above it.');
  return say;
}

/** Shows what is said for a moment; the latest takes the place of the one before. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<{ text: string; nth: number }>();
  const say = useCallback(
    (text: string) => setSaid((last) => ({ text, nth: (last?.nth ?? 0) + 1 })),
    [],
  );
  const close = useCallback(() => setSaid(undefined), []);
  return (
    <ToastContext value={say}>
      {children}
      {/* There before anything is said, or screen readers would not hear it. */}
      <div className="toasts" role="status">
        {said !== undefined && <Toast key={said.nth} text={said.text} onClose={close} />}
      </div>
    </ToastContext>
  );
}

function Toast({ text, onClose }: { text: string; onClose(): void }) {
  useEffect(() => {
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [onClose]);
  return (
    <div className="toast">
      <p>{text}</p>
      <button
        type="button"
        className="icon-button"
        aria-label={commonTexts.dismiss}
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
