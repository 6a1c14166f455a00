import { setTimeout as sleep } from 'node:timers/promises';
import { everyFault } from '../support/chaotic-shop.ts';
import type { Deployment, Server } from './deployment.ts';
import type { Fault } from './steps.ts';

const PAUSE_MS = 2_000;
const DOWN_MS = 500;
const CHAOS_MS = 2_000;
const CHAOS_SHARE = 0.2;

export type Faults = {
  /** How many of each kind there were. */
  counts: Partial<Record<Fault, number>>;
  /** Causes the fault after those before it, and resolves once it is over. */
  cause(fault: Fault): Promise<void>;
  /** For how many milliseconds no fault has gone on; 0 while one does. */
  quietMs(): number;
};

/** Causes faults of a deployment one after another; all histories that run meanwhile meet them. */
export function createFaults(deployment: Deployment): Faults {
  const counts: Faults['counts'] = {};
  let last: Promise<void> = Promise.resolve();
  let open = 0;
  let overAt = Date.now();
  return {
    counts,
    cause(fault) {
      open += 1;
      const caused = last
        .then(() => causeOne(deployment, fault))
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

async function causeOne(deployment: Deployment, fault: Fault): Promise<void> {
  const { apis, workers, temporal, postgres, providers } = deployment;
  switch (fault) {
    case 'kill-worker':
      return killed(oneOf(workers));
    case 'kill-api':
      return killed(oneOf(apis));
    case 'restart-temporal':
      return restarted(temporal);
    case 'restart-postgres':
      return restarted(postgres);
    case 'pause-temporal':
      return paused(temporal);
    case 'pause-worker':
      return paused(oneOf(workers));
    case 'chaos': {
      const { alpha, beta } = providers;
      // A clock that is off would move sales to before their connection.
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

function oneOf(servers: readonly Server[]): Server {
  const server = servers[Math.floor(Math.random() * servers.length)];
  if (server === undefined) throw new Error('There is no such process.');
  return server;
}
