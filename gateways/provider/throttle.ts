import { ProviderError } from './error.ts';

export type Throttle = {
  /**
   * Makes a call when it is its turn in the line of that name. Throws what the call throws, and
   * ProviderError 429 at once when the provider wants its line to be left alone for long.
   */
  run<T>(name: string, call: () => Promise<T>): Promise<T>;
};

export type Allowance = { atOnce: number; perSecond: number };

type Calls = {
  running: number;
  /**
   * When the calls ended that did so within the last second. The provider counts a call some time
   * between its start and its end, so that counting from the end is never ahead of it.
   */
  ends: number[];
};
type Line = Calls & {
  waiting: { resolve: () => void; reject: (error: ProviderError) => void }[];
  pausedUntil: number;
  /** How often in a row the provider said "too many" without saying for how long. */
  refusals: number;
};

const SECOND_MS = 1_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A longer pause is not waited for: whoever called has more patience, and better use of it. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Lines of calls to a provider, each within its allowance and all within theirs; the lines take
 * turns. After a 429 nobody of its line calls until the time is over that the provider asked for,
 * or 1 s, doubled with each time in a row: asking too early would lengthen it.
 */
export function createThrottle(limits: { perLine: Allowance; altogether: Allowance }): Throttle {
  const lines = new Map<string, Line>();
  const all: Calls = { running: 0, ends: [] };
  let wake: NodeJS.Timeout | undefined;

  const advance = () => {
    clearTimeout(wake);
    for (;;) {
      const [next, delayMs] = soonest(lines, limits.perLine);
      const waitMs = Math.max(delayMs, waitWithin(limits.altogether, all));
      if (next === undefined || waitMs > 0) {
        // What waits for a call to end is woken by its end.
        if (Number.isFinite(waitMs)) wake = setTimeout(advance, Math.ceil(waitMs)).unref();
        return;
      }
      const [name, line] = next;
      // To the end, so that the others have their turn first.
      lines.delete(name);
      lines.set(name, line);
      for (const calls of [line, all]) calls.running++;
      line.waiting.shift()?.resolve();
    }
  };

  const turnIn = (line: Line) =>
    new Promise<void>((resolve, reject) => {
      if (pauseOf(line) > LONGEST_WAIT_MS) throw leftAlone(line);
      line.waiting.push({ resolve, reject });
      advance();
    });

  return {
    async run(name, call) {
      const line = lines.get(name) ?? newLine();
      lines.set(name, line);
      await turnIn(line);
      try {
        const answer = await call();
        if (pauseOf(line) === 0) line.refusals = 0;
        return answer;
      } catch (error) {
        if (error instanceof ProviderError && error.status === 429) pause(line, error);
        throw error;
      } finally {
        for (const calls of [line, all]) end(calls);
        advance();
      }
    },
  };
}

function newLine(): Line {
  return { running: 0, ends: [], waiting: [], pausedUntil: 0, refusals: 0 };
}

/** The first of the lines that may call soonest, and in how long; forgets those that are done. */
function soonest(lines: Map<string, Line>, allowance: Allowance) {
  let next: [string, Line] | undefined;
  let delayMs = Number.POSITIVE_INFINITY;
  for (const [name, line] of lines) {
    const paceMs = waitWithin(allowance, line);
    const isIdle = line.waiting.length === 0;
    if (isIdle && pauseOf(line) === 0 && line.running + line.ends.length === 0) {
      lines.delete(name);
    }
    const itsDelayMs = isIdle ? Number.POSITIVE_INFINITY : Math.max(paceMs, pauseOf(line));
    if (itsDelayMs >= delayMs) continue;
    next = [name, line];
    delayMs = itsDelayMs;
  }
  return [next, delayMs] as const;
}

function end(calls: Calls): void {
  calls.running--;
  calls.ends.push(performance.now());
}

/** In how many milliseconds another call is allowed; infinite while one has to end first. */
function waitWithin({ atOnce, perSecond }: Allowance, calls: Calls): number {
  const now = performance.now();
  calls.ends = calls.ends.filter((ended) => ended > now - SECOND_MS);
  if (calls.running >= Math.min(atOnce, perSecond)) return Number.POSITIVE_INFINITY;
  const inTheWay = calls.ends.at(calls.running - perSecond);
  return inTheWay === undefined ? 0 : inTheWay + SECOND_MS - now;
}

function pauseOf(line: Line): number {
  return Math.max(0, line.pausedUntil - performance.now());
}

function pause(line: Line, { retryAfterMs }: ProviderError): void {
  // The others that were out when it began are refused for the same reason.
  if (retryAfterMs === undefined && pauseOf(line) > 0) return;
  const byItself = Math.min(FIRST_PAUSE_MS * 2 ** line.refusals, LONGEST_PAUSE_MS);
  if (retryAfterMs === undefined) line.refusals++;
  line.pausedUntil = Math.max(line.pausedUntil, performance.now() + (retryAfterMs ?? byItself));
  if (pauseOf(line) <= LONGEST_WAIT_MS) return;
  for (const { reject } of line.waiting.splice(0)) reject(leftAlone(line));
}

function leftAlone(line: Line): ProviderError {
  const message = 'The provider wants to be left alone for a while.';
  return new ProviderError(message, 429, { retryAfterMs: Math.ceil(pauseOf(line)) });
}
