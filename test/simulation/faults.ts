import { setTimeout as sleep } from 'node:timers/promises';
import { everyFault } from '../support/providers/chaotic-shop.ts';
import type { Deployment, Server, ServiceProcess } from './deployment.ts';
import type { Fault, FaultStep } from './steps.ts';
import { untilReached } from './until-reached.ts';

const PAUSE_MS = 2_000;
const DOWN_MS = 500;
const CHAOS_MS = 2_000;
const CHAOS_SHARE = 0.2;
const SLOW_MS = 3_000;
/** Some answers are later than the service waits for one. */
const SLOW_BY_SECONDS = 12;
const SECOND_MS = 1_000;

export type Faults = {
  /** How many of each kind there were. */
  counts: Partial<Record<Fault, number>>;
  /** Whether there was any. */
  hasBeen(): boolean;
  /**
   * Causes the fault after those before it, and resolves once it is over. A clock stays as it was
   * set until the next such fault.
   */
  cause(step: FaultStep): Promise<void>;
  /** For how many milliseconds no fault has gone on; 0 while one does. */
  quietMs(): number;
};

/** Causes faults of a deployment one after another; all histories that run meanwhile meet them. */
export function createFaults(deployment: Deployment, counts: Faults['counts'] = {}): Faults {
  let last: Promise<void> = Promise.resolve();
  let open = 0;
  let overAt = Date.now();
  return {
    counts,
    hasBeen: () => Object.keys(counts).length > 0,
    cause(step) {
      open += 1;
      const { fault } = step;
      const caused = last
        .then(() => causeOne(deployment, step))
        .finally(() => {
          open -= 1;
          overAt = Date.now();
        });
      counts[fault] = (counts[fault] ?? 0) + 1;
      // A fault that cannot be ended fails the history that asked for it, and not the next one.
      last = caused.catch(() => undefined);
      return caused;
    },
    quietMs: () => (open > 0 ? 0 : Date.now() - overAt),
  };
}

async function causeOne(deployment: Deployment, { fault, seconds }: FaultStep): Promise<void> {
  const { apis, workers, temporal, postgres, providers } = deployment;
  const aheadMs = (seconds ?? 0) * SECOND_MS;
  switch (fault) {
    case 'kill-worker':
      return killed(oneOf(workers));
    case 'kill-api':
      return killed(oneOf(apis));
    case 'restart-temporal':
      return restarted(temporal);
    case 'restart-postgres':
      return restarted(postgres);
    case 'pause-postgres': {
      const pids = await sessionsOf(deployment);
      signal(pids, 'SIGSTOP');
      await sleep(PAUSE_MS);
      return signal(pids, 'SIGCONT');
    }
    case 'crash-postgres':
      // When one of its processes is killed, the server ends all sessions and recovers its log.
      return signal((await sessionsOf(deployment)).slice(0, 1), 'SIGKILL');
    case 'pause-temporal':
      return paused(temporal);
    case 'pause-worker':
      return paused(oneOf(workers));
    case 'pause-api':
      return paused(oneOf(apis));
    case 'api-clock':
      return oneOf(apis).moveClock(aheadMs);
    case 'worker-clock':
      return oneOf(workers).moveClock(aheadMs);
    case 'provider-clocks':
      return deployment.providerClock.move(aheadMs);
    case 'turn-keys':
      return deployment.turnKeys();
    case 'slow-providers': {
      const delay = { forMs: SLOW_MS, mostMs: (seconds ?? SLOW_BY_SECONDS) * SECOND_MS };
      await Promise.all(deployment.networks.map((network) => network.delay(delay)));
      return;
    }
    case 'chaos': {
      const { alpha, beta } = providers;
      // A clock is off by more, and for longer, in a fault of its own.
      const { clockSkew: _, ...chaos } = everyFault(CHAOS_SHARE);
      alpha.setChaos(chaos);
      beta.setChaos(chaos);
      await sleep(CHAOS_MS);
      alpha.setChaos({});
      beta.setChaos({});
      return;
    }
    default:
      fault satisfies never;
  }
}

/** The processes of Postgres that the service is connected to. */
async function sessionsOf({ db }: Deployment): Promise<number[]> {
  const { rows } = await untilReached(() =>
    db.raw<{ rows: { pid: number }[] }>(
      `select pid from pg_stat_activity
       where application_name in ('loyalty-api', 'loyalty-worker')`,
    ),
  );
  return rows.map(({ pid }) => pid);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The session has ended meanwhile.
    }
  }
}

async function killed(server: Server): Promise<void> {
  await server.kill();
  await server.start();
}

async function restarted(server: Server): Promise<void> {
  await server.stop();
  await sleep(DOWN_MS);
  await server.start();
}

/** A process that answers nothing for a while, as a machine under memory pressure. */
async function paused(server: Server): Promise<void> {
  const pid = server.pid();
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(PAUSE_MS);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

function oneOf(servers: readonly ServiceProcess[]): ServiceProcess {
  const server = servers[Math.floor(Math.random() * servers.length)];
  if (server === undefined) throw new Error('There is no such process.');
  return server;
}
