import type { Db } from '../db/connection.ts';
import type { LoadGenerator } from './load.ts';
import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { type Server, startBenchServer } from './programs.ts';
import { type Bar, formatCpu, formatSpread, ratioBar, type Section } from './report.ts';
import type { Plan } from './sales.ts';
import { burst, type Service, untilProcessed, warmUp } from './service.ts';
import { appendTo, spreadOf, spreadsOf, sumOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';
import { startWithoutEngine, type WithoutEngine } from './without-engine.ts';

type Variant = {
  key: 'temporal' | 'loop';
  name: string;
  db: Db;
  port: number;
  /** Every plan that was sent to it. */
  plans: Plan[];
  /** The polling loop, which runs only while its variant is measured. */
  loop?: WithoutEngine;
  /** The processes whose processor time is measured. */
  processes: ReadonlyArray<readonly [string, number]>;
};

type Measurement = {
  creditedPerSecond: number;
  acknowledgedPerSecond: number;
  /** Microseconds of processor time per event, in the order of the variant's processes. */
  cpu: number[];
  workflowRuns: number;
};

/** Processor time of one request, and requests per second. */
type BareMeasurement = { perSecond: number; cpu: number[] };

type Figures = { ours: ReadonlyMap<string, Measurement[]>; bare: readonly BareMeasurement[] };

const REPETITIONS = 5;
const BUYERS = ['spread', 'one-tenant'] as const;
const BUYERS_LABELS = { spread: '100 tenants', 'one-tenant': 'one tenant' } as const;
const BAR_OF_LOOP = 0.9;
const BAR_OF_BARE_CPU = 12;

/**
 * Part 3: measures how fast a burst is credited, with and without Temporal, and what an event costs
 * beside a request to a Koa that only answers.
 */
export async function measureEndToEnd(service: Service, options: Options): Promise<Section> {
  const { testbed, load } = service;
  const variants = [temporalVariant(service), loopVariant(service, await startLoop(service))];
  const bareKoa = await startBenchServer(testbed, 'bare', service.databaseUrl);
  await warmUp(service, 'e2e');
  await measureBare(bareKoa, load, 5_000);
  const ours = new Map<string, Measurement[]>();
  const bare: BareMeasurement[] = [];
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const buyers of BUYERS) {
      testbed.log(`Part 3, repetition ${repetition}, ${BUYERS_LABELS[buyers]}`);
      for (const variant of variants) {
        const name = `e2e-${buyers}-${repetition}`;
        const plan = { name, events: options.quick ? 1_000 : 20_000, buyers };
        appendTo(ours, keyOf(variant, buyers), await measure(service, variant, plan));
      }
    }
    bare.push(await measureBare(bareKoa, load, options.quick ? 5_000 : 40_000));
  }
  for (const { db, plans } of variants) await verifyRun(db, plans);
  for (const { loop } of variants) await loop?.stop();
  await bareKoa.stop();
  return sectionOf(variants, { ours, bare });
}

const startLoop = (service: Service) => startWithoutEngine(service, 'loop');
const keyOf = ({ key }: Pick<Variant, 'key'>, buyers: string) => `${key}.${buyers}`;

function temporalVariant(service: Service): Variant {
  const { db, api, plans } = service;
  const processes = processesOf(service);
  return { key: 'temporal', name: 'through Temporal', db, port: api.port, plans, processes };
}

/** The processes that an event goes through, by name. */
export function processesOf({ api, worker, temporal, testbed }: Service) {
  return [
    ['API', api.pid],
    ['worker', worker.pid],
    ['Temporal', temporal.pid],
    ['Postgres', testbed.postgresPid],
  ] as const;
}

function loopVariant({ testbed }: Service, loop: WithoutEngine): Variant {
  const { db, api, plans } = loop;
  const processes = [
    ['API', api.pid],
    ['loop', loop.loop.pid],
    ['Postgres', testbed.postgresPid],
  ] as const;
  return { key: 'loop', name: 'without Temporal', db, port: api.port, plans, loop, processes };
}

async function measure(service: Service, variant: Variant, plan: Plan): Promise<Measurement> {
  const { loop, db, port, processes, plans } = variant;
  plans.push(plan);
  loop?.start();
  const cpu = measureCpu(processes.map(([, pid]) => pid));
  const runsBefore = await service.temporal.countRuns();
  const { startedAt, endedAt } = await burst(service.load, port, plan);
  const creditedAt = await untilProcessed(db);
  const used = cpu(plan.events);
  loop?.pause();
  return {
    creditedPerSecond: (plan.events / (creditedAt - startedAt)) * 1000,
    acknowledgedPerSecond: (plan.events / (endedAt - startedAt)) * 1000,
    cpu: used,
    workflowRuns: loop ? 0 : (await service.temporal.countRuns()) - runsBefore,
  };
}

/** Sends the same requests to a Koa that only answers. */
async function measureBare(
  { pid, port }: Server,
  load: LoadGenerator,
  requests: number,
): Promise<BareMeasurement> {
  const cpu = measureCpu([pid]);
  const { startedAt, endedAt } = await burst(load, port, { name: 'bare', events: requests });
  return { perSecond: (requests / (endedAt - startedAt)) * 1000, cpu: cpu(requests) };
}

function sectionOf(variants: readonly Variant[], figures: Figures): Section {
  const measured = (variant: Variant, buyers: string) =>
    figures.ours.get(keyOf(variant, buyers)) ?? [];
  const rows = BUYERS.flatMap((buyers) =>
    variants.map((variant) => {
      const measurements = measured(variant, buyers);
      const spread = (of: (each: Measurement) => number) =>
        formatSpread(spreadOf(measurements.map(of)));
      return [
        variant.name,
        BUYERS_LABELS[buyers],
        spread((each) => each.creditedPerSecond),
        spread((each) => each.acknowledgedPerSecond),
        spread((each) => each.workflowRuns),
        spread((each) => sumOf(each.cpu)),
        variant.processes
          .map(([name], position) => `${name} ${formatCpu(measurements, position)}`)
          .join(', '),
      ];
    }),
  );
  const perSecond = formatSpread(spreadOf(figures.bare.map((each) => each.perSecond)));
  const bareCpu = figures.bare.map(({ cpu }) => sumOf(cpu));
  rows.push(['bare Koa', '–', '–', perSecond, '–', formatSpread(spreadOf(bareCpu)), '–']);
  return {
    key: 'end_to_end',
    figures: spreadsOf(figureLists(figures)),
    title: '3. End to end: a burst of webhooks until all are credited (min/median/max)',
    note:
      'Separate API, worker, load, Postgres and Temporal; all of it is verified. Bare Koa gets ' +
      'the same requests and answers at once.',
    columns: [
      'variant',
      'burst over',
      'credited/s',
      'acknowledged/s',
      'workflow runs',
      'CPU µs per event',
      'of which',
    ],
    rows,
    bars: barsOf(figures),
  };
}

function barsOf({ ours, bare }: Figures): Bar[] {
  const of = (key: string, value: (each: Measurement) => number) =>
    (ours.get(key) ?? []).map(value);
  const bareCpu = bare.map(({ cpu }) => sumOf(cpu));
  return [
    ...BUYERS.map((buyers) => {
      const [temporal, loop] = (['temporal', 'loop'] as const).map((key) =>
        of(keyOf({ key }, buyers), (each) => each.creditedPerSecond),
      );
      return ratioBar(
        `through Temporal ÷ without Temporal, ${BUYERS_LABELS[buyers]}`,
        [temporal ?? [], loop ?? []],
        { atLeast: BAR_OF_LOOP },
      );
    }),
    ratioBar(
      'CPU per event of API, worker, Temporal and Postgres ÷ a request to bare Koa, 100 tenants',
      [of('temporal.spread', ({ cpu }) => sumOf(cpu)), bareCpu],
      { atMost: BAR_OF_BARE_CPU },
    ),
  ];
}

function figureLists({ ours, bare }: Figures): Map<string, number[]> {
  const lists = [...ours].flatMap(([key, measured]): [string, number[]][] => [
    [`${key}.credited_per_second`, measured.map((each) => each.creditedPerSecond)],
    [`${key}.acknowledged_per_second`, measured.map((each) => each.acknowledgedPerSecond)],
    [`${key}.cpu_us`, measured.map(({ cpu }) => sumOf(cpu))],
  ]);
  lists.push(['bare_koa.requests_per_second', bare.map((each) => each.perSecond)]);
  lists.push(['bare_koa.cpu_us', bare.map(({ cpu }) => sumOf(cpu))]);
  return new Map(lists);
}
