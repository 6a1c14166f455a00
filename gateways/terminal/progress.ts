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

export type Terminal = { isTTY?: boolean; write(text: string): unknown };

/** A line of a terminal that is written over. */
export type LiveLine = { show(text: string): void; clear(): void };

/**
 * A line that is written over, at most twice a second; nothing where there is no terminal, so that
 * logs and pipes hold results only.
 */
export function liveLine(terminal: Terminal = process.stderr): LiveLine {
  if (terminal.isTTY !== true) return { show: () => undefined, clear: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(text) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS) return;
      shownAt = now;
      terminal.write(`\r\x1b[K${text}`);
    },
    clear: () => void terminal.write('\r\x1b[K'),
  };
}

/** Shows on a terminal how far a command has come. The total is counted only where it is shown. */
export async function showProgress(
  what: string,
  countTotal: () => Promise<number>,
  terminal: Terminal = process.stderr,
): Promise<{ at(done: number): void; end(): void }> {
  const total = terminal.isTTY === true ? await countTotal() : 0;
  const line = liveLine(terminal);
  const startedAt = performance.now();
  return {
    at(done) {
      const seconds = (performance.now() - startedAt) / 1000;
      line.show(describeReached(what, { done, total, seconds }));
    },
    end: line.clear,
  };
}
