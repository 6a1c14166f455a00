import { connect, type Db } from '../db/connection.ts';
import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { type Program, startBenchServer, startProgram } from './programs.ts';
import { formatCpu, formatSpread, type Section } from './report.ts';
import type { Plan } from './sales.ts';
import { burst, type Service, untilProcessed, warmUp } from './service.ts';
import { appendTo, spreadOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';

type Variant = {
  name: string;
  db: Db;
  port: number;
  /** Every plan that was sent to it. */
  plans: Plan[];
  /** The polling loop, which runs only while its variant is measured. */
  loop?: Program;
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

const BUYERS = ['spread', 'one-tenant'] as const;
const BUYERS_LABELS = { spread: '100 tenants', 'one-tenant': 'one tenant' } as const;

/** Part 3: measures how fast a burst is credited, with and without Temporal. */
export async function measureEndToEnd(service: Service, options: Options): Promise<Section> {
  const variants = [temporalVariant(service), await startLoopVariant(service)];
  await warmUp(service, 'e2e');
  const figures = new Map<string, Measurement[]>();
  for (const repetition of repetitions(options)) {
    for (const buyers of BUYERS) {
      service.testbed.log(`Part 3, repetition ${repetition}, ${BUYERS_LABELS[buyers]}`);
      for (const variant of variants) {
        const name = `e2e-${buyers}-${repetition}`;
        const plan = { name, events: options.quick ? 1_000 : 5_000, buyers };
        appendTo(figures, `${variant.name} ${buyers}`, await measure(service, variant, plan));
      }
    }
  }
  for (const { db, plans } of variants) await verifyRun(db, plans);
  await variants[1]?.loop?.stop();
  return sectionOf(variants, figures);
}

function temporalVariant({ db, api, worker, temporal, testbed, plans }: Service): Variant {
  const processes = [
    ['API', api.pid],
    ['worker', worker.pid],
    ['Temporal', temporal.pid],
    ['Postgres', testbed.postgresPid],
  ] as const;
  return { name: 'through Temporal', db, port: api.port, plans, processes };
}

/** Starts the same webhook on a separate database, and a process that polls for its events. */
async function startLoopVariant({ testbed, load }: Service): Promise<Variant> {
  const databaseUrl = await testbed.database('bench_loop');
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const api = await startBenchServer(testbed, 'without-temporal', databaseUrl);
  const file = new URL('./loop-main.ts', import.meta.url);
  const loop = startProgram(testbed, file, { name: 'loop', args: [databaseUrl] });
  const processes = [
    ['API', api.pid],
    ['loop', loop.pid],
    ['Postgres', testbed.postgresPid],
  ] as const;

  const plan = { name: 'warm', events: 1_000 };
  loop.child.send('start');
  await burst(load, api.port, plan);
  await untilProcessed(db);
  loop.child.send('stop');
  return { name: 'without Temporal', db, port: api.port, plans: [plan], loop, processes };
}

async function measure(service: Service, variant: Variant, plan: Plan): Promise<Measurement> {
  const { loop, db, port, processes, plans } = variant;
  plans.push(plan);
  loop?.child.send('start');
  const cpu = measureCpu(processes.map(([, pid]) => pid));
  const runsBefore = await service.temporal.countRuns();
  const { startedAt, endedAt } = await burst(service.load, port, plan);
  const creditedAt = await untilProcessed(db);
  loop?.child.send('stop');
  return {
    creditedPerSecond: (plan.events / (creditedAt - startedAt)) * 1000,
    acknowledgedPerSecond: (plan.events / (endedAt - startedAt)) * 1000,
    cpu: cpu(plan.events),
    workflowRuns: loop ? 0 : (await service.temporal.countRuns()) - runsBefore,
  };
}

function sectionOf(
  variants: readonly Variant[],
  figures: ReadonlyMap<string, Measurement[]>,
): Section {
  const measured = (variant: Variant | undefined, buyers: string) =>
    figures.get(`${variant?.name} ${buyers}`) ?? [];
  const credited = (variant: Variant | undefined, buyers: string) =>
    spreadOf(measured(variant, buyers).map((each) => each.creditedPerSecond));
  return {
    title: '3. End to end: a burst of webhooks until all are credited (min/median/max)',
    note: 'Separate API, worker, load, Postgres and Temporal; every measurement is verified.',
    columns: [
      'variant',
      'burst over',
      'credited/s',
      'acknowledged/s',
      'workflow runs',
      'CPU µs per event',
    ],
    rows: BUYERS.flatMap((buyers) =>
      variants.map((variant) => {
        const measurements = measured(variant, buyers);
        return [
          variant.name,
          BUYERS_LABELS[buyers],
          formatSpread(credited(variant, buyers)),
          formatSpread(spreadOf(measurements.map((each) => each.acknowledgedPerSecond))),
          formatSpread(spreadOf(measurements.map((each) => each.workflowRuns))),
          variant.processes
            .map(([name], position) => `${name} ${formatCpu(measurements, position)}`)
            .join(', '),
        ];
      }),
    ),
    bars: BUYERS.map((buyers) => ({
      figure: `through Temporal ÷ without Temporal, ${BUYERS_LABELS[buyers]}`,
      value: credited(variants[0], buyers).median / credited(variants[1], buyers).median,
      atLeast: 0.8,
    })),
  };
}
