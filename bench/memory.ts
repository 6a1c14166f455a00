import type { Options } from './options.ts';
import { type Memory, memoryOf } from './process-figures.ts';
import { CONTAINERS } from './programs.ts';
import type { Section } from './report.ts';
import { burst, startService, stopService, untilProcessed } from './service.ts';
import { spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { verifyRun } from './verify-run.ts';

const EVENTS = 1_000_000;
const QUICK_EVENTS = 10_000;
const BURST = 20_000;
/** Processes without work give memory back after some seconds. */
const REST_MS = 60_000;
const QUICK_REST_MS = 15_000;
const PROCESSES = [
  { key: 'api', name: 'API' },
  { key: 'worker', name: 'worker' },
] as const;
/** Of the memory of its container; above it a load that was not foreseen ends the process. */
const MOST_OF_CONTAINER = 2 / 3;

/**
 * Part 6: measures the memory of an API and a worker that have ingested a million events: when the
 * last one is done, after a minute of rest, and at its most.
 */
export async function measureMemory(testbed: Testbed, options: Options): Promise<Section> {
  const service = await startService(testbed, 'memory');
  const { load, api, db, plans } = service;
  const read = () => PROCESSES.map(({ key }) => memoryOf(service[key].pid));
  const before = read();
  const countSent = () => plans.reduce((sum, plan) => sum + plan.events, 0);
  const wanted = options.quick ? QUICK_EVENTS : EVENTS;
  for (let sent = countSent(); sent < wanted; sent = countSent()) {
    testbed.log(`Part 6, after ${sent.toLocaleString('en-GB')} events`);
    const plan = { name: `memory-${sent}`, events: Math.min(BURST, wanted - sent) };
    plans.push(plan);
    await burst(load, api.port, plan);
    await untilProcessed(db);
  }
  const after = read();
  await new Promise((resolve) => setTimeout(resolve, options.quick ? QUICK_REST_MS : REST_MS));
  const rested = read();
  await verifyRun(db, plans);
  await stopService(service);
  const nowMib = (memories: readonly Memory[], nth: number) => memories[nth]?.nowMib ?? Number.NaN;
  const peakMib = (nth: number) => rested[nth]?.peakMib ?? Number.NaN;
  const figures = PROCESSES.flatMap(({ key }, nth) => [
    [`${key}.resident_mib`, spreadOf([nowMib(rested, nth)])] as const,
    [`${key}.peak_mib`, spreadOf([peakMib(nth)])] as const,
  ]);
  return {
    key: 'memory',
    figures: Object.fromEntries(figures),
    title: '6. Resident memory, MiB',
    note:
      `Of processes that were just started, after ${wanted.toLocaleString('en-GB')} events, all ` +
      'of them verified, and once they had rested from them for a minute.',
    columns: ['process', 'before', 'after', 'rested', 'at most'],
    rows: PROCESSES.map(({ name }, nth) => [
      name,
      ...[before, after, rested].map((memories) => nowMib(memories, nth)),
      peakMib(nth),
    ]),
    bars: PROCESSES.map(({ key, name }, nth) => ({
      figure: `most resident memory ÷ memory of the container, ${name}`,
      value: peakMib(nth) / CONTAINERS[key],
      atMost: MOST_OF_CONTAINER,
    })),
  };
}
