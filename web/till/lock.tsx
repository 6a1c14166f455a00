import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { useSession } from '../shared/client.tsx';
import { Skeleton } from '../shared/ui/basics.tsx';
import { type IdleMinutes, type Pin, pinOf } from './pin.ts';

const LockScreen = lazy(() => import('./lock-screen.tsx'));

type Lock = {
  /** The minutes after which it locks itself; undefined while there is no PIN. */
  idleMinutes: IdleMinutes | undefined;
  lock(): void;
  setPin(pin: string, idleMinutes: IdleMinutes): Promise<void>;
  removePin(): void;
};

const LockContext = createContext<Lock | undefined>(undefined);

/** The lock of the till. */
export function useLock(): Lock {
  const lock = useContext(LockContext);
  if (lock === undefined) throw new Error('This component needs a Lockable above it.');
  return lock;
}

/**
 * Shows the app, or, while it is locked, what asks for the PIN. With a PIN it begins locked, so
 * that loading the page again opens nothing.
 */
export function Lockable({ children }: { children: ReactNode }) {
  const { now } = useSession();
  const sub = now.status === 'signed-out' ? '' : now.sub;
  const pin = useMemo(() => pinOf(sub), [sub]);
  const [idleMinutes, setIdleMinutes] = useState(pin.idleMinutes);
  const [isLocked, setLocked] = useState(idleMinutes !== undefined);
  const lock = useMemo(() => lockOf(pin, { setIdleMinutes, setLocked }), [pin]);
  useIdle(isLocked ? undefined : idleMinutes, lock.lock);
  if (isLocked) {
    return (
      <Suspense fallback={<Skeleton />}>
        <LockScreen pin={pin} onOpen={() => setLocked(false)} />
      </Suspense>
    );
  }
  return <LockContext value={{ idleMinutes, ...lock }}>{children}</LockContext>;
}

function lockOf(
  pin: Pin,
  set: {
    setIdleMinutes(minutes: IdleMinutes | undefined): void;
    setLocked(isLocked: boolean): void;
  },
): Omit<Lock, 'idleMinutes'> {
  return {
    lock: () => set.setLocked(true),
    async setPin(digits, idleMinutes) {
      await pin.set(digits, idleMinutes);
      set.setIdleMinutes(idleMinutes);
    },
    removePin() {
      pin.remove();
      set.setIdleMinutes(undefined);
    },
  };
}

const CHECK_EVERY_MS = 1_000;

/** Calls back once nobody has touched the device for so long. */
function useIdle(minutes: IdleMinutes | undefined, onIdle: () => void): void {
  useEffect(() => {
    if (minutes === undefined) return;
    const leave = new AbortController();
    const { signal } = leave;
    let touchedAt = Date.now();
    const touch = () => {
      touchedAt = Date.now();
    };
    const check = () => {
      if (Date.now() - touchedAt >= minutes * 60_000) onIdle();
    };
    for (const type of ['pointerdown', 'keydown'] as const) {
      addEventListener(type, touch, { signal, capture: true });
    }
    // Not one timer: the timer of a device that sleeps is late.
    const timer = setInterval(check, CHECK_EVERY_MS);
    document.addEventListener('visibilitychange', check, { signal });
    return () => {
      leave.abort();
      clearInterval(timer);
    };
  }, [minutes, onIdle]);
}
