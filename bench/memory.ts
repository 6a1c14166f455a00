import type { Options } from './options.ts';
import { memoryOf } from './process-figures.ts';
import type { Section } from './report.ts';
import { burst, startService, stopService, untilProcessed } from './service.ts';
import { spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 10_000;
const BURST = 20_000;
const PROCESSES = [
  { key: 'api', name: 'API', atMost: 220 },
  { key: 'worker', name: 'worker', atMost: 300 },
] as const;

/** Part 6: measures the memory of an API and a worker that have ingested a million events. */
export async function measureMemory(testbed: Testbed, options: Options): Promise<Section> {
  const service = await startService(testbed, 'memory');
  const { load, api, db, plans } = service;
  const before = PROCESSES.map(({ key }) => memoryOf(service[key].pid));
  const countSent = () => plans.reduce((sum, plan) => sum + plan.events, 0);
  const wanted = options.quick ? QUICK_EVENTS : EVENTS;
  for (let sent = countSent(); sent < wanted; sent = countSent()) {
    testbed.log(`Part 6, after ${sent.toLocaleString('en-GB')} events`);
    const plan = { name: `memory-${sent}`, events: Math.min(BURST, wanted - sent) };
    plans.push(plan);
    await burst(load, api.port, plan);
    await untilProcessed(db);
  }
  const after = PROCESSES.map(({ key }) => memoryOf(service[key].pid));
  await verifyRun(db, plans);
  await stopService(service);
  const at = (nth: number) => after[nth] ?? { nowMib: Number.NaN, peakMib: Number.NaN };
  const figures = PROCESSES.flatMap(({ key }, nth) => [
    [`${key}.resident_mib`, spreadOf([at(nth).nowMib])] as const,
    [`${key}.peak_mib`, spreadOf([at(nth).peakMib])] as const,
  ]);
  return {
    key: 'memory',
    figures: Object.fromEntries(figures),
    title: '6. Resident memory, MiB',
    note:
      `Of processes that were just started, and after ${wanted.toLocaleString('en-GB')} events, ` +
      'all of them verified.',
    columns: ['process', 'before', 'after', 'at most'],
    rows: PROCESSES.map(({ name }, nth) => [
      name,
      before[nth]?.nowMib ?? Number.NaN,
      at(nth).nowMib,
      at(nth).peakMib,
    ]),
    bars: PROCESSES.map(({ name, atMost }, nth) => ({
      figure: `resident memory after the events, ${name}, MiB`,
      value: at(nth).nowMib,
      atMost,
    })),
  };
}
