/** How far a long command has come. The total may be an estimate; 0 if it is unknown. */
export type Reached = { done: number; total: number; seconds: number };

const EVERY_MS = 500;

/** Says how far a command has come, how fast it is, and how long the rest takes at that rate. */
export function describeReached(what: string, { done, total, seconds }: Reached): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const count = (value: number) => Math.round(value).toLocaleString('en');
  if (total <= 0) return `${count(done)} ${what}, ${count(rate)}/s`;
  // Of what grows meanwhile, more may be done than there was.
  const percent = Math.min(99, Math.floor((done / total) * 100));
  const left = rate > 0 && done < total ? `, ${duration((total - done) / rate)} left` : '';
  return `${count(done)} of about ${count(total)} ${what} (${percent} %), ${count(rate)}/s${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

type Terminal = { isTTY?: boolean; write(text: string): unknown };

/**
 * Shows on a terminal, in one line that is written over, how far a command has come; elsewhere
 * nothing, so that logs and pipes hold results only.
 */
export function showProgress(
  what: string,
  total: number,
  terminal: Terminal = process.stderr,
): { at(done: number): void; end(): void } {
  if (terminal.isTTY !== true) return { at: () => undefined, end: () => undefined };
  const startedAt = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    at(done) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      const seconds = (now - startedAt) / 1000;
      terminal.write(`\r\x1b[K${describeReached(what, { done, total, seconds })}`);
    },
    end: () => void terminal.write('\r\x1b[K'),
  };
}
