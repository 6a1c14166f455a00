import { connect } from '../db/connection.ts';
import { type LoadGenerator, startLoadGenerator } from './load.ts';
import { type Options, repetitions } from './options.ts';
import { cpuSecondsOf } from './process-figures.ts';
import { type Server, startApi, startBenchServer } from './programs.ts';
import { formatLatency, formatSpread, type Section } from './report.ts';
import type { Stage } from './stage.ts';
import { spreadOf } from './statistics.ts';

const CONNECTIONS = [64, 256] as const;
const BARS = { 64: 2, 256: 2.4 } as const;
const BAR_OF_BARE = 0.5;
/** Nothing listens there: these events belong to nobody and are not handed over. */
const NO_TEMPORAL = '127.0.0.1:1';
const DISTINCT_EVENTS = 2_000;

/** `cpu` is microseconds of processor time per request: of the server, Postgres, the load. */
type Run = { perSecond: number; latencies: number[]; cpu: number[] };
type Variant = { name: string; server: Server; runs: Map<number, Run[]> };

/** Part 1: how many webhooks are verified, stored and answered in a second. */
export async function measureAcknowledging(stage: Stage, options: Options): Promise<Section> {
  const databaseUrl = await stage.database('bench_acknowledging');
  const load = startLoadGenerator(stage);
  const api = await startApi(stage, { databaseUrl, temporalAddress: NO_TEMPORAL, name: 'ack-api' });
  const oneInsert = await startBenchServer(stage, 'one-insert', databaseUrl);
  const bare = await startBenchServer(stage, 'bare', databaseUrl);
  const variants: Variant[] = [
    { name: 'our API', server: api, runs: new Map() },
    { name: 'one INSERT per request', server: oneInsert, runs: new Map() },
    { name: 'bare Koa', server: bare, runs: new Map() },
  ];

  const seconds = options.quick ? 1 : 4;
  const measure = run(load, [stage.postgresPid, load.pid]);
  for (const variant of variants) await measure(variant, 64, 1);
  for (const repetition of repetitions(options)) {
    for (const connections of CONNECTIONS) {
      stage.tell(`Part 1, repetition ${repetition}, ${connections} connections`);
      for (const variant of variants) {
        const { runs } = variant;
        const done = await measure(variant, connections, seconds);
        runs.set(connections, [...(runs.get(connections) ?? []), done]);
        await empty(databaseUrl);
      }
    }
  }
  for (const { server } of variants) await server.stop();
  return sectionOf(variants);
}

function run(load: LoadGenerator, others: readonly number[]) {
  return async ({ server }: Variant, connections: number, seconds: number): Promise<Run> => {
    const processes = [server.pid, ...others];
    const before = processes.map(cpuSecondsOf);
    const { acknowledged, startedAt, endedAt, latencies } = await load.deliver({
      port: server.port,
      plan: { name: 'ack', events: DISTINCT_EVENTS, buyers: 'unknown' },
      connections,
      pace: { kind: 'repeat', seconds },
    });
    const cpu = processes.map(
      (pid, nth) => ((cpuSecondsOf(pid) - (before[nth] ?? 0)) / acknowledged) * 1e6,
    );
    return { perSecond: (acknowledged / (endedAt - startedAt)) * 1000, latencies, cpu };
  };
}

async function empty(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  await db.raw('truncate webhook_events');
  await db.raw('checkpoint');
  await db.destroy();
}

function sectionOf(variants: readonly Variant[]): Section {
  const median = (index: number, connections: number) =>
    spreadOf((variants[index]?.runs.get(connections) ?? []).map((run) => run.perSecond)).median;
  return {
    title: '1. Acknowledging, requests/s (min/median/max) and their latency (p50/p99 ms)',
    note: 'Signed events of an unknown merchant: stored, answered, handed to nobody; no Temporal.',
    columns: [
      'variant',
      ...CONNECTIONS.flatMap((count) => [
        `${count} connections`,
        'ms',
        'CPU µs: server, Postgres, load',
      ]),
    ],
    rows: variants.map(({ name, runs }) => [
      name,
      ...CONNECTIONS.flatMap((count) => {
        const measured = runs.get(count) ?? [];
        return [
          formatSpread(spreadOf(measured.map((run) => run.perSecond))),
          formatLatency(measured.flatMap((run) => run.latencies)),
          [0, 1, 2].map((nth) => medianOf(measured, nth)).join(', '),
        ];
      }),
    ]),
    bars: CONNECTIONS.flatMap((count) => [
      {
        figure: `ours ÷ one INSERT per request, ${count} connections`,
        value: median(0, count) / median(1, count),
        atLeast: BARS[count],
      },
      {
        figure: `ours ÷ bare Koa, ${count} connections`,
        value: median(0, count) / median(2, count),
        atLeast: BAR_OF_BARE,
      },
    ]),
  };
}

function medianOf(runs: readonly Run[], nth: number): string {
  return spreadOf(runs.map(({ cpu }) => cpu[nth] ?? Number.NaN)).median.toFixed(0);
}
