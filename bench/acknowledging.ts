import { connect } from '../db/connection.ts';
import { type LoadGenerator, startLoadGenerator } from './load.ts';
import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { type Server, startApi, startBenchServer } from './programs.ts';
import { formatCpu, formatLatency, formatSpread, ratioBar, type Section } from './report.ts';
import { SHIPPED } from './settings.ts';
import { appendTo, type Spread, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const CONNECTIONS = [64, 256] as const;
const REPETITIONS = 5;
const BARS = { 64: 2, 256: 2.4 } as const;
const BAR_OF_BARE = 0.25;
/** Nothing listens there, and nothing has to: no tenant has these events, so none is dispatched. */
const NO_TEMPORAL = '127.0.0.1:1';
const DISTINCT_EVENTS = 2_000;

/** `cpu`: microseconds of processor time per request of the server, Postgres and the load. */
type Measurement = { perSecond: number; latencies: number[]; cpu: number[] };
type Variant = {
  key: string;
  name: string;
  server: Server;
  measurements: Map<number, Measurement[]>;
};

/** Part 1: measures how many webhooks are verified, stored and answered per second. */
export async function measureAcknowledging(testbed: Testbed, options: Options): Promise<Section> {
  const databaseUrl = await testbed.database('bench_acknowledging');
  const load = startLoadGenerator(testbed);
  const api = await startApi(testbed, {
    databaseUrl,
    temporalAddress: NO_TEMPORAL,
    name: 'ack-api',
    env: SHIPPED,
  });
  const oneInsert = await startBenchServer(testbed, 'one-insert', databaseUrl);
  const bare = await startBenchServer(testbed, 'bare', databaseUrl);
  const variants: Variant[] = [
    { key: 'api', name: 'our API', server: api, measurements: new Map() },
    {
      key: 'one_insert',
      name: 'one INSERT per request',
      server: oneInsert,
      measurements: new Map(),
    },
    { key: 'bare_koa', name: 'bare Koa', server: bare, measurements: new Map() },
  ];

  const seconds = options.quick ? 1 : 4;
  const measure = measurer(load, [testbed.postgresPid, load.pid]);
  for (const variant of variants) await measure(variant, 64, 1);
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const connections of CONNECTIONS) {
      testbed.log(`Part 1, repetition ${repetition}, ${connections} connections`);
      for (const variant of variants) {
        const measurement = await measure(variant, connections, seconds);
        appendTo(variant.measurements, connections, measurement);
        await truncateEvents(databaseUrl);
      }
    }
  }
  for (const { server } of variants) await server.stop();
  return sectionOf(variants);
}

function measurer(load: LoadGenerator, others: readonly number[]) {
  return async (
    { server }: Variant,
    connections: number,
    seconds: number,
  ): Promise<Measurement> => {
    const cpu = measureCpu([server.pid, ...others]);
    const { acknowledged, startedAt, endedAt, latencies } = await load.deliver({
      port: server.port,
      plan: { name: 'ack', events: DISTINCT_EVENTS, buyers: 'unknown', isWhole: true },
      connections,
      pace: { kind: 'repeat', seconds },
    });
    const perSecond = (acknowledged / (endedAt - startedAt)) * 1000;
    return { perSecond, latencies, cpu: cpu(acknowledged) };
  };
}

async function truncateEvents(databaseUrl: string): Promise<void> {
  const db = connect(databaseUrl, 1, 'loyalty-bench');
  // Their tables refuse it, their partitions do not.
  const { rows } = await db.raw<{ rows: { bodies: string }[] }>(
    `select string_agg(inhrelid::regclass::text, ', ') as bodies
     from pg_inherits where inhparent = 'webhook_bodies'::regclass`,
  );
  await db.raw(`truncate stalled_events, ${rows[0]?.bodies}`);
  await db.raw('checkpoint');
  await db.destroy();
}

function sectionOf(variants: readonly Variant[]): Section {
  const perSecond = (nth: number, connections: number) =>
    (variants[nth]?.measurements.get(connections) ?? []).map((each) => each.perSecond);
  const compared = (nth: number, connections: number) =>
    [perSecond(0, connections), perSecond(nth, connections)] as const;
  return {
    key: 'acknowledging',
    figures: figuresOf(variants),
    title: '1. Acknowledging, requests/s (min/median/max) and their latency (p50/p99 ms)',
    note:
      'Signed events of 1.8 kB, of an unknown merchant: stored and answered, not dispatched; no ' +
      'Temporal. The API logs each request, as it ships.',
    columns: [
      'variant',
      ...CONNECTIONS.flatMap((count) => [
        `${count} connections`,
        'ms',
        'CPU µs: server, Postgres, load',
      ]),
    ],
    rows: variants.map(({ name, measurements }, nth) => [
      name,
      ...CONNECTIONS.flatMap((count) => {
        const measured = measurements.get(count) ?? [];
        return [
          formatSpread(spreadOf(perSecond(nth, count))),
          formatLatency(measured.flatMap(({ latencies }) => latencies)),
          [0, 1, 2].map((position) => formatCpu(measured, position)).join(', '),
        ];
      }),
    ]),
    bars: [
      ...CONNECTIONS.map((count) => {
        const figure = `ours ÷ one INSERT per request, ${count} connections`;
        return ratioBar(figure, compared(1, count), { atLeast: BARS[count] });
      }),
      ratioBar('ours ÷ bare Koa, 64 connections', compared(2, 64), { atLeast: BAR_OF_BARE }),
    ],
  };
}

function figuresOf(variants: readonly Variant[]): Readonly<Record<string, Spread>> {
  const lists = variants.flatMap(({ key, measurements }) =>
    [...measurements].flatMap(([count, measured]): [string, number[]][] => [
      [`${key}.${count}.requests_per_second`, measured.map((each) => each.perSecond)],
      [`${key}.${count}.cpu_us`, measured.map(({ cpu }) => cpu[0] ?? Number.NaN)],
    ]),
  );
  return spreadsOf(new Map(lists));
}
