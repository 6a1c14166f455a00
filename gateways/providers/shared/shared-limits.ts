// What a provider allows is allowed to all processes of the service together. Each has units of
// every limit, as many as it needs or as are left to it: one of ten units of "ten calls at once and
// 50 a second" allows one call at once and five a second.

/** The concurrency limit, and the rate: calls per second. */
export type Limit = { concurrency: number; perSecond: number };

/** How a limit is used, of a queue or of all together. */
export type Usage = {
  running: number;
  /**
   * End times of the calls that ended within the last second. The provider counts a call at some
   * time between its start and its end, so counting from the end never exceeds its limit.
   */
  endedAt: number[];
  /** The units of the limit that this process has; null when it has the limit for itself. */
  units: number | null;
  /** When they end, unless they are taken again. */
  unitsEnd: number;
};

/** How the processes of the service share what providers allow. */
export type CallShares = {
  /** How long units last that are not taken again. */
  leaseMs: number;
  /** Says how many units of each this process may use from now on. */
  take(
    wanted: readonly { name: string; size: number; keeps: number; wants: number }[],
  ): Promise<number[]>;
};

/** A limit, and how this process makes use of it. */
export type Shared = { name: string; limit: Limit; usage: Usage; waiting: number };

const SECOND_MS = 1_000;
/** How soon a process with waiting calls asks again for units that others have. */
const ASK_AGAIN_MS = 100;
/** Units are given back this long before they end, so that no delay makes two processes use one. */
const MARGIN_MS = 3_000;

/** Returns the part of a limit that this process's units stand for, at this moment. */
export function partOf(limit: Limit, { units, unitsEnd }: Usage): Limit {
  if (units === null) return limit;
  const held = performance.now() < unitsEnd ? units : 0;
  const perSecond = Math.floor((limit.perSecond * held) / limit.concurrency);
  return { concurrency: held, perSecond };
}

/**
 * Keeps this process's units: `look` has it ask for what calls wait for, and give back a second
 * later what none uses any more. `onChange` is called when there may be more units, and `onFailure`
 * when nobody could say how many there are.
 */
export function keepUnits(
  shares: CallShares,
  list: () => readonly Shared[],
  { onChange, onFailure }: { onChange: () => void; onFailure: () => void },
): { look: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  function look(): void {
    if (isAsking) return;
    clearTimeout(timer);
    const all = list();
    if (all.length === 0) return;
    const lacking = all.filter((each) => each.waiting > 0 && lacks(each));
    const waitMs = askedAt + (lacking.length > 0 ? ASK_AGAIN_MS : SECOND_MS) - performance.now();
    if (waitMs > 0 && !lacking.some(isNew)) {
      timer = setTimeout(look, Math.ceil(waitMs)).unref();
      return;
    }
    isAsking = true;
    askedAt = performance.now();
    void ask(shares, all, askedAt)
      .then(onChange, onFailure)
      .finally(() => {
        isAsking = false;
        look();
      });
  }
  return { look };
}

async function ask(shares: CallShares, all: readonly Shared[], askedAt: number): Promise<void> {
  const wanted = all.map((each) => ({
    name: each.name,
    size: each.limit.concurrency,
    keeps: inUse(each),
    wants: demandOf(each),
  }));
  const units = await shares.take(wanted);
  all.forEach(({ usage }, nth) => {
    usage.units = units[nth] ?? 0;
    usage.unitsEnd = askedAt + shares.leaseMs - MARGIN_MS;
  });
}

/** Whether there are fewer units than would be used now. */
function lacks(each: Shared): boolean {
  return demandOf(each) > (each.usage.units ?? 0);
}

/** Whether units were never asked for: a call of a quiet shop must not wait for those of others. */
function isNew({ usage }: Shared): boolean {
  return usage.unitsEnd === 0;
}

/** How many units the calls stand for that run, or have ended within the last second. */
function inUse({ limit, usage }: Shared): number {
  return Math.max(usage.running, unitsFor(usage.running + recentlyEnded(usage), limit));
}

/** How many units would be used now, if there were enough. */
function demandOf({ limit, usage, waiting }: Shared): number {
  const calls = usage.running + waiting;
  const demand = Math.max(calls, unitsFor(calls + recentlyEnded(usage), limit));
  return Math.min(demand, limit.concurrency);
}

/** How many units allow that many calls in a second. */
function unitsFor(calls: number, { concurrency, perSecond }: Limit): number {
  return Math.ceil((calls * concurrency) / perSecond);
}

function recentlyEnded({ endedAt }: Usage): number {
  const since = performance.now() - SECOND_MS;
  return endedAt.filter((time) => time > since).length;
}
