import { type Memory, memoryOf } from './process-figures.ts';
import type { Section } from './report.ts';
import type { Service } from './service.ts';

/** Part 6: what the two processes hold in memory, from now on. */
export type MemoryWatch = {
  /** Reads it, after everything that was sent. */
  note(): void;
  section(): Section;
};

/** Reads the memory of API and worker, which have just started and done nothing yet. */
export function startMemory({ api, worker, plans }: Service): MemoryWatch {
  const processes = [
    { name: 'API', pid: api.pid },
    { name: 'worker', pid: worker.pid },
  ];
  const idle = processes.map(({ pid }) => memoryOf(pid));
  let after: Memory[] = idle;
  let events = 0;
  return {
    note() {
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
