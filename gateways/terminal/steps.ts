import { describeReached, liveLine, type Terminal } from './progress.ts';

type Step = {
  name: string;
  nth: number;
  of: number;
  work?: { phase: string; unit: string; done: number; total: number } | undefined;
};

/**
 * Shows on a terminal which of several steps is running and for how long or, where that is known,
 * how far it has come; elsewhere nothing.
 */
export function showSteps(terminal?: Terminal): { at(step: Step): void; end(): void } {
  const line = liveLine(terminal);
  const stepSeconds = stopwatch();
  const workSeconds = stopwatch();
  return {
    at({ name, nth, of, work }) {
      const seconds = stepSeconds(name);
      const what = `${name}, ${nth} of ${of}`;
      if (work === undefined) return line.show(`${what}: ${Math.floor(seconds)} s`);
      const { phase, unit, done, total } = work;
      const reached = { done, total, seconds: workSeconds(`${name} ${phase} ${total}`) };
      line.show(`${what}, ${phase}${total > 0 ? `: ${describeReached(unit, reached)}` : ''}`);
    },
    end: line.clear,
  };
}

/** Returns the seconds since it was first asked about the same thing. */
function stopwatch(): (what: string) => number {
  let current: string | undefined;
  let since = 0;
  return (what) => {
    const now = performance.now();
    if (what !== current) since = now;
    current = what;
    return (now - since) / 1000;
  };
}
