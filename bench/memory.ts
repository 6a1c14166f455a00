import { type Memory, memoryOf } from './process-figures.ts';
import type { Section } from './report.ts';
import type { Service } from './service.ts';

/** Part 6: the memory of the API and the worker since the watch began. */
export type MemoryWatch = {
  /** Reads the memory after the load. */
  sample(): void;
  section(): Section;
};

/** Reads the idle memory of the API and the worker; to be called before they get any load. */
export function watchMemory({ api, worker, plans }: Service): MemoryWatch {
  const processes = [
    { name: 'API', pid: api.pid },
    { name: 'worker', pid: worker.pid },
  ];
  const idle = processes.map(({ pid }) => memoryOf(pid));
  let after: Memory[] = idle;
  let events = 0;
  return {
    sample() {
      after = processes.map(({ pid }) => memoryOf(pid));
      events = plans.reduce((sum, plan) => sum + plan.events, 0);
    },
    section: () => ({
      title: '6. Resident memory, MiB',
      note: `Just started, and after ${events.toLocaleString('en-GB')} events.`,
      columns: ['process', 'idle', 'after the load', 'at most'],
      rows: processes.map(({ name }, nth) => [
        name,
        idle[nth]?.nowMib ?? Number.NaN,
        after[nth]?.nowMib ?? Number.NaN,
        after[nth]?.peakMib ?? Number.NaN,
      ]),
      bars: [],
    }),
  };
}
