import { useEffect, useState } from 'react';

/** Longer than that, nobody waits without a word. */
const SLOW_AFTER_MS = 5_000;

/** Whether something has been going on for so long that people are told. */
export function useSlow(isRunning: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isRunning]);
  return isRunning && isSlow;
}
