import { type Db, takesRequests } from '../../db/connection.ts';
import { withinMs } from '../../gateways/timing.ts';

/** What the process needs, and whether it can be reached. */
export type Reachable = { postgres: boolean; temporal: boolean };
export type Readiness = {
  /** Asks both, at most once a second: anybody may call this, and each answer costs a query. */
  check(): Promise<Reachable>;
};

const READY_TIMEOUT_MS = 2_000;
const KEPT_MS = 1_000;

/** Creates the readiness of a process. Callers at the same time, or soon after, share an answer. */
export function createReadiness(
  db: Db,
  orchestrator: { isReachable(): Promise<boolean> },
): Readiness {
  let latest: Promise<Reachable> | undefined;
  const ask = async (): Promise<Reachable> => {
    const [postgres, temporal] = await Promise.all([
      answersInTime(takesRequests(db)),
      answersInTime(orchestrator.isReachable()),
    ]);
    setTimeout(() => {
      latest = undefined;
    }, KEPT_MS).unref();
    return { postgres, temporal };
  };
  return {
    check() {
      latest ??= ask();
      return latest;
    },
  };
}

/** Whether a check succeeds within the time a load balancer allows; an error counts as false. */
async function answersInTime(question: PromiseLike<unknown>): Promise<boolean> {
  try {
    return (await withinMs(question, READY_TIMEOUT_MS)) !== false;
  } catch {
    return false;
  }
}
