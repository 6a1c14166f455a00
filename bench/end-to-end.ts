import { connect, type Db } from '../db/connection.ts';
import { type Options, repetitions } from './options.ts';
import { cpuSecondsOf } from './process-figures.ts';
import { type Program, startBenchServer, startProgram } from './programs.ts';
import { formatSpread, type Section } from './report.ts';
import type { Plan } from './sales.ts';
import { burst, type Service, untilCredited, warmUp } from './service.ts';
import { spreadOf } from './statistics.ts';
import { verifyRun } from './verify-run.ts';

type Variant = {
  name: string;
  db: Db;
  port: number;
  /** Every plan ever sent to it. */
  plans: Plan[];
  /** What is started for each measurement, if it must not run in between. */
  loop?: Program;
  /** The processes whose time is counted. */
  processes: ReadonlyArray<readonly [string, number]>;
};

type Run = {
  creditedPerSecond: number;
  acknowledgedPerSecond: number;
  /** Microseconds of processor time per event, in the order of the variant's processes. */
  cpu: number[];
  runs: number;
};

const BUYERS = ['spread', 'one-tenant'] as const;
const BUYERS_IN_WORDS = { spread: '100 tenants', 'one-tenant': 'one tenant' } as const;

/** Part 3: from the first webhook until a burst is credited, with and without engine. */
export async function measureEndToEnd(service: Service, options: Options): Promise<Section> {
  const variants = [ofService(service), await startLoop(service)];
  await warmUp(service, 'e2e');
  const figures = new Map<string, Run[]>();
  for (const repetition of repetitions(options)) {
    for (const buyers of BUYERS) {
      service.stage.tell(`Part 3, repetition ${repetition}, ${BUYERS_IN_WORDS[buyers]}`);
      for (const variant of variants) {
        const name = `e2e-${buyers}-${repetition}`;
        const plan = { name, events: options.quick ? 1_000 : 5_000, buyers };
        const run = await measure(service, variant, plan);
        const key = `${variant.name} ${buyers}`;
        figures.set(key, [...(figures.get(key) ?? []), run]);
      }
    }
  }
  for (const { db, plans } of variants) await verifyRun(db, plans);
  await variants[1]?.loop?.stop();
  return sectionOf(variants, figures);
}

function ofService({ db, api, worker, temporal, stage, plans }: Service): Variant {
  const processes = [
    ['API', api.pid],
    ['worker', worker.pid],
    ['Temporal', temporal.pid],
    ['Postgres', stage.postgresPid],
  ] as const;
  return { name: 'through Temporal', db, port: api.port, plans, processes };
}

/** The same intake on a database of its own, and a process that loops over its events. */
async function startLoop({ stage, load }: Service): Promise<Variant> {
  const databaseUrl = await stage.database('bench_loop');
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  stage.atEnd(() => db.destroy());
  const api = await startBenchServer(stage, 'no-engine', databaseUrl);
  const file = new URL('./loop-main.ts', import.meta.url);
  const loop = startProgram(stage, file, { name: 'loop', args: [databaseUrl] });
  const processes = [
    ['API', api.pid],
    ['loop', loop.pid],
    ['Postgres', stage.postgresPid],
  ] as const;

  const plan = { name: 'warm', events: 1_000 };
  loop.child.send('start');
  await burst(load, api.port, plan);
  await untilCredited(db);
  loop.child.send('stop');
  return { name: 'no engine', db, port: api.port, plans: [plan], loop, processes };
}

async function measure(service: Service, variant: Variant, plan: Plan): Promise<Run> {
  const { loop, db, port, processes, plans } = variant;
  plans.push(plan);
  loop?.child.send('start');
  const before = processes.map(([, pid]) => cpuSecondsOf(pid));
  const runsBefore = await service.temporal.countRuns();
  const { startedAt, endedAt } = await burst(service.load, port, plan);
  const creditedAt = await untilCredited(db);
  loop?.child.send('stop');
  const cpu = processes.map(
    ([, pid], nth) => ((cpuSecondsOf(pid) - (before[nth] ?? 0)) / plan.events) * 1e6,
  );
  return {
    creditedPerSecond: (plan.events / (creditedAt - startedAt)) * 1000,
    acknowledgedPerSecond: (plan.events / (endedAt - startedAt)) * 1000,
    cpu,
    runs: loop ? 0 : (await service.temporal.countRuns()) - runsBefore,
  };
}

function sectionOf(variants: readonly Variant[], figures: ReadonlyMap<string, Run[]>): Section {
  const runsOf = (variant: Variant | undefined, buyers: string) =>
    figures.get(`${variant?.name} ${buyers}`) ?? [];
  const credited = (variant: Variant | undefined, buyers: string) =>
    spreadOf(runsOf(variant, buyers).map((run) => run.creditedPerSecond));
  return {
    title: '3. End to end: a burst of webhooks until all are credited (min/median/max)',
    note: 'API, worker, load generator, Postgres and Temporal each a process; exact in every run.',
    columns: ['variant', 'burst over', 'credited/s', 'acknowledged/s', 'runs', 'CPU µs per event'],
    rows: BUYERS.flatMap((buyers) =>
      variants.map((variant) => {
        const runs = runsOf(variant, buyers);
        return [
          variant.name,
          BUYERS_IN_WORDS[buyers],
          formatSpread(credited(variant, buyers)),
          formatSpread(spreadOf(runs.map((run) => run.acknowledgedPerSecond))),
          formatSpread(spreadOf(runs.map((run) => run.runs))),
          variant.processes.map(([name], nth) => `${name} ${cpuOf(runs, nth)}`).join(', '),
        ];
      }),
    ),
    bars: BUYERS.map((buyers) => ({
      figure: `through Temporal ÷ no engine, ${BUYERS_IN_WORDS[buyers]}`,
      value: credited(variants[0], buyers).median / credited(variants[1], buyers).median,
      atLeast: 0.8,
    })),
  };
}

function cpuOf(runs: readonly Run[], nth: number): string {
  return spreadOf(runs.map((run) => run.cpu[nth] ?? Number.NaN)).median.toFixed(0);
}
