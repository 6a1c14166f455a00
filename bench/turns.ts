import { appendTo, sumOf } from './statistics.ts';
import type { Running, Unit, Worked } from './units.ts';

/** What a turn of work took, and what each process needed for a unit of it. */
export type Turn = Worked & { costs: readonly number[] };

/** The processes of a service, in the order in which they are measured. */
export const PROCESSES = ['API', 'worker', 'Temporal', 'Postgres'] as const;

/**
 * Lets services work in turn, each as often as wanted and in the opposite order every other time,
 * so that what the machine does meanwhile concerns all of them. A turn before is not counted.
 * Verifies in the end that all they did is exact, and stops them.
 */
export async function takeTurns<Name extends string>(
  services: ReadonlyMap<Name, Running>,
  meter: Unit['meter'],
  { turns, log }: { turns: number; log: (line: string) => void },
): Promise<Map<Name, Turn[]>> {
  const taken = new Map<Name, Turn[]>();
  for (const { work } of services.values()) await work('warm');
  for (let turn = 1; turn <= turns; turn++) {
    log(`Turn ${turn} of ${turns}`);
    const inOrder = turn % 2 === 0 ? [...services].reverse() : [...services];
    for (const [name, { pids, work }] of inOrder) {
      const costs = meter(pids);
      const worked = await work(`turn-${turn}`);
      appendTo(taken, name, { ...worked, costs: costs(worked.units) });
    }
  }
  for (const { verify, stop } of services.values()) {
    await verify();
    await stop();
  }
  return taken;
}

/** What a unit costs one process, or all of them together, in each turn. */
export function costOf(turns: readonly Turn[], process: (typeof PROCESSES)[number] | 'together') {
  return turns.map(({ costs }) =>
    process === 'together' ? sumOf(costs) : (costs[PROCESSES.indexOf(process)] ?? Number.NaN),
  );
}
