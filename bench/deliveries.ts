import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Db } from '../db/connection.ts';
import { freePort } from '../sandbox/processes/ports.ts';
import { machineMs } from './clock.ts';
import { type Arrivals, type DeliveryReceiver, startReceiver } from './delivery-receiver.ts';
import {
  closeShops,
  countDelivered,
  happen,
  openShops,
  type TellingShop,
} from './delivery-shops.ts';
import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { type Program, startWorker } from './programs.ts';
import { formatLatency, formatSpread, ratioBar, type Section } from './report.ts';
import { appendTo, percentile, spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

type Scenario = {
  key: string;
  title: string;
  shops: number;
  endpointsEach: number;
  /** Of each shop. */
  events: number;
  /** Of how many shops all endpoints hang, or of the only one the first. */
  hanging?: 'one endpoint' | 'one shop';
};

/** A shop has ten endpoints at most, and two attempts at a time. */
const SCENARIOS: readonly Scenario[] = [
  { key: '1', title: '1 endpoint', shops: 1, endpointsEach: 1, events: 1_000 },
  { key: '10', title: '10 endpoints of 1 shop', shops: 1, endpointsEach: 10, events: 200 },
  {
    key: '10.hanging',
    title: 'the same, one of which hangs',
    shops: 1,
    endpointsEach: 10,
    events: 200,
    hanging: 'one endpoint',
  },
  { key: '100', title: '100 endpoints of 10 shops', shops: 10, endpointsEach: 10, events: 40 },
  {
    key: '100.hanging',
    title: 'the same, and a shop whose endpoints hang',
    shops: 11,
    endpointsEach: 10,
    events: 40,
    hanging: 'one shop',
  },
  { key: '1000', title: '1,000 endpoints of 100 shops', shops: 100, endpointsEach: 10, events: 4 },
];
const QUICK_EVENTS = 2;
const SINGLE = 200;
const SINGLE_EVERY_MS = 100;
const WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 50;
/** One that hangs takes one of its shop's two places: the others keep half at least. */
const SAME_SHOP_BAR = 0.4;
const OTHER_SHOP_BAR = 0.8;

type Bench = { testbed: Testbed; db: Db; receiver: DeliveryReceiver; worker: Program };
type Measurement = { perSecond: number; cpuMs: number; repeated: number };

/**
 * Measures how fast a tenant's events reach its systems: one worker process, real HTTP to another
 * process. Throws when an event did not arrive, or with a wrong signature.
 */
export async function runDeliveries(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const bench = await startBench(testbed);
  const found = new Map<string, Measurement[]>();
  for (const repetition of repetitions(options)) {
    for (const scenario of SCENARIOS) {
      testbed.log(`${scenario.title}, repetition ${repetition}`);
      const events = options.quick ? QUICK_EVENTS : scenario.events;
      appendTo(found, scenario.key, await measure(bench, { ...scenario, events }));
    }
  }
  const single = await measureSingle(bench, options.quick ? 10 : SINGLE);
  const section = sectionOf(found, single);
  options.print(section);
  return [section];
}

async function startBench(testbed: Testbed): Promise<Bench> {
  const databaseUrl = await testbed.database('bench_deliveries');
  const db = connect(databaseUrl, 2, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const receiver = await startReceiver(testbed, await freePort());
  const temporal = await testbed.temporal();
  const env = { WEBHOOK_ALLOW_LOOPBACK: 'true' };
  const options = { databaseUrl, temporalAddress: temporal.address, env };
  const worker = await startWorker(testbed, options);
  return { testbed, db, receiver, worker };
}

/** Lets events happen, and measures from the last commit until the last one has arrived. */
async function measure(bench: Bench, scenario: Scenario): Promise<Measurement> {
  const { db, receiver, worker } = bench;
  const { shops: count, endpointsEach, events } = scenario;
  const { shops, secrets } = await openShops(db, { count, endpointsEach, url: receiver.url });
  const hanging = hangingOf(shops, scenario.hanging);
  await receiver.begin(secrets, hanging);
  const answering = [...secrets.keys()].filter((path) => !hanging.includes(path));
  const cpu = measureCpu([worker.pid]);
  const startedAt = machineMs();
  await happen(db, shops, events);
  await untilDelivered(db, answering, events);
  const arrivals = await receiver.report();
  await closeShops(db, shops);
  const deliveries = answering.length * events;
  verify(arrivals, answering, events);
  const arrivedAt = answering.flatMap((path) => Object.values(arrivals.first[path] ?? {}));
  return {
    perSecond: (deliveries / (Math.max(...arrivedAt) - startedAt)) * 1_000,
    cpuMs: (cpu(deliveries)[0] ?? Number.NaN) / 1_000,
    repeated: arrivals.repeated,
  };
}

function hangingOf(shops: readonly TellingShop[], hanging: Scenario['hanging']): string[] {
  const paths = shops[0]?.paths ?? [];
  if (hanging === undefined) return [];
  return hanging === 'one shop' ? paths : paths.slice(0, 1);
}

async function untilDelivered(db: Db, paths: readonly string[], events: number): Promise<void> {
  for (const deadline = machineMs() + WITHIN_MS; machineMs() < deadline; ) {
    if ((await countDelivered(db, paths)) >= paths.length * events) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`Events were still undelivered after ${WITHIN_MS / 1_000} s`);
}

function verify(arrivals: Arrivals, paths: readonly string[], events: number): void {
  const wrong = paths.filter((path) => Object.keys(arrivals.first[path] ?? {}).length !== events);
  if (wrong.length > 0) throw new Error(`${wrong.length} endpoints did not get every event`);
  if (arrivals.checked === 0 || arrivals.refused > 0) {
    throw new Error(`${arrivals.refused} of ${arrivals.checked} signatures were refused`);
  }
}

/** Events that come alone: milliseconds from the commit of each to its arrival. */
async function measureSingle({ testbed, db, receiver }: Bench, count: number): Promise<number[]> {
  testbed.log('Events that come alone');
  const { shops, secrets } = await openShops(db, { count: 1, endpointsEach: 1, url: receiver.url });
  await receiver.begin(secrets, []);
  const committedAt: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    await happen(db, shops, 1);
    committedAt.push(machineMs());
    await sleep(SINGLE_EVERY_MS);
  }
  await untilDelivered(db, [...secrets.keys()], count);
  const { first } = await receiver.report();
  await closeShops(db, shops);
  // Ids of events ascend, and there is one at a time.
  const [arrived = {}] = Object.values(first);
  const inOrder = Object.entries(arrived).sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([, at], nth) => at - (committedAt[nth] ?? Number.NaN));
}

function sectionOf(found: ReadonlyMap<string, Measurement[]>, single: readonly number[]): Section {
  const of = (key: string, figure: keyof Measurement) =>
    (found.get(key) ?? []).map((measurement) => measurement[figure]);
  return {
    key: 'deliveries',
    figures: Object.fromEntries([
      ...SCENARIOS.map(({ key }) => [`${key}.per_second`, spreadOf(of(key, 'perSecond'))]),
      ['single.p99_ms', spreadOf([percentile(single, 99)])],
    ]),
    title: 'Webhooks to the systems of merchants (min/median/max)',
    note:
      'One worker process and one receiver. Counted from the first commit to the last arrival, ' +
      `at endpoints that answer. An event that comes alone arrives after ${formatLatency(single)}` +
      ' ms (p50/p99). All arrived, and the signatures that were checked are right.',
    columns: ['endpoints', 'deliveries/s', 'worker, ms each', 'repeated'],
    rows: SCENARIOS.map(({ key, title }) => [
      title,
      formatSpread(spreadOf(of(key, 'perSecond'))),
      spreadOf(of(key, 'cpuMs')).median,
      of(key, 'repeated').reduce((sum, count) => sum + count, 0),
    ]),
    bars: [
      ratioBar(
        'with one of its ten endpoints hanging, of the rate without',
        [of('10.hanging', 'perSecond'), of('10', 'perSecond')],
        { atLeast: SAME_SHOP_BAR },
      ),
      ratioBar(
        'beside a shop that hangs, of the rate without',
        [of('100.hanging', 'perSecond'), of('100', 'perSecond')],
        { atLeast: OTHER_SHOP_BAR },
      ),
    ],
  };
}
