import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../sandbox/providers/shared/random.ts';
import { untilReached } from '../simulation/until-reached.ts';
import type { Deployment, Member } from './deployment.ts';

export const FAULTS = [
  'worker killed',
  'providers refusing',
  'API killed',
  'Temporal restarted',
  'Postgres restarted',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Times are seconds since the start of the load. */
export type CausedFault = {
  fault: Fault;
  at: number;
  /** How long it lasted, and how long after its end no more work was waiting than usual. */
  lasted: number;
  recoveredAfter: number | undefined;
};

export type Pace = {
  /** Between the recovery from a fault and the next one. */
  everyMs: number;
  /** How long a server is away, and how long providers refuse. */
  awayMs: number;
  refusingMs: number;
  /** How long after a recovery figures are still left out. */
  settleMs: number;
  /** Whether processes are killed at any time; otherwise only early and late. */
  killsAlways: boolean;
};

export type Faults = {
  caused: CausedFault[];
  /** Whether there is a fault, or the service has just recovered from one. */
  isDisturbing(): boolean;
  /** Whether each kind has happened. */
  isRoundDone(): boolean;
  /** Causes one after the other until it is over. `progress` is the share of the time that is. */
  cause(progress: () => number, isOver: () => boolean): Promise<void>;
};

/** A process that is judged by its memory lives from the first quarter to here. */
const [LAST_EARLY_KILL, FIRST_LATE_KILL] = [0.25, 0.9];
const RECOVERED_WITHIN_MS = 180_000;
const LOOK_MS = 250;
/** Of the requests to a refusing provider, those that get 429, and of the others those with 5xx. */
const REFUSED_SHARE = 0.4;

/** Creates faults in an order that follows from the seed; in the first round it is that above. */
export function createFaults(
  deployment: Deployment,
  options: { seed: number; pace: Pace; usualBacklog: number; say: (line: string) => void },
): Faults {
  const { pace, usualBacklog, say } = options;
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const caused: CausedFault[] = [];
  let isDisturbing = false;
  const one = async (fault: Fault) => {
    isDisturbing = true;
    const at = seconds();
    await strike(deployment, fault, pace);
    const overAt = seconds();
    const isRecovered = await untilRecovered(deployment, usualBacklog);
    const recoveredAfter = isRecovered ? seconds() - overAt : undefined;
    caused.push({ fault, at, lasted: overAt - at, recoveredAfter });
    say(`${at.toFixed(0)} s: ${fault}, recovered after ${recoveredAfter?.toFixed(1) ?? '–'} s`);
    await sleep(pace.settleMs);
    isDisturbing = false;
  };
  return {
    caused,
    isDisturbing: () => isDisturbing,
    isRoundDone: () => new Set(caused.map(({ fault }) => fault)).size === FAULTS.length,
    async cause(progress, isOver) {
      for (const fault of endlessly(options.seed)) {
        const share = progress();
        const mayKill = share < LAST_EARLY_KILL || share > FIRST_LATE_KILL;
        if (fault.endsWith('killed') && !pace.killsAlways && !mayKill) continue;
        if (!(await waited(pace.everyMs, isOver))) return;
        await one(fault);
      }
    },
  };
}

function* endlessly(seed: number): Generator<Fault> {
  const random = new Random(seed);
  yield* FAULTS;
  for (;;) {
    const keyed = FAULTS.map((fault) => ({ fault, key: random.next() }));
    for (const { fault } of keyed.sort((one, other) => one.key - other.key)) yield fault;
  }
}

/** Waits so long; returns false as soon as it is over. */
async function waited(ms: number, isOver: () => boolean): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(LOOK_MS)) {
    if (isOver()) return false;
  }
  return !isOver();
}

async function strike(deployment: Deployment, fault: Fault, pace: Pace): Promise<void> {
  const { api, worker, temporal, postgres } = deployment.members;
  switch (fault) {
    case 'API killed':
      return restart(api, 0);
    case 'worker killed':
      return restart(worker, 0);
    case 'Temporal restarted':
      return restart(temporal, pace.awayMs);
    case 'Postgres restarted':
      return restart(postgres, pace.awayMs);
    case 'providers refusing':
      return refuse(deployment, pace.refusingMs);
  }
}

async function restart(member: Member, awayMs: number): Promise<void> {
  await member.end();
  await sleep(awayMs);
  await member.start();
}

async function refuse({ providers }: Deployment, ms: number): Promise<void> {
  const both = [providers.alpha, providers.beta];
  const refusing = { tooMany: REFUSED_SHARE, serverError: REFUSED_SHARE };
  for (const provider of both) provider.setChaos(refusing);
  await sleep(ms);
  for (const provider of both) provider.setChaos({});
}

/** Waits until no more events wait than usual; returns false if that takes too long. */
async function untilRecovered({ superuser }: Deployment, usual: number): Promise<boolean> {
  for (const until = performance.now() + RECOVERED_WITHIN_MS; performance.now() < until; ) {
    if ((await untilReached(() => pendingEvents(superuser))) <= usual) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

/** Counts the events that are still to be ingested. */
export async function pendingEvents(db: Deployment['db']): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select count(*) from pending_events',
  );
  return rows[0]?.count ?? 0;
}
