import { startDeployment } from './confirm-deployment.ts';
import { type ConfirmLoadResult, startConfirmLoadGenerator } from './confirm-load.ts';
import { type Options, repetitions } from './options.ts';
import { formatLatency, formatSpread, ratioBar, type Section } from './report.ts';
import { SHIPPED } from './settings.ts';
import { appendTo, percentile, type Spread, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const REPETITIONS = 5;
/** The loads: connections that each wait for their answer, or a number of confirms a second. */
const LOADS = [
  { key: '1', name: '1 at once', terms: { concurrency: 1 } },
  { key: '16', name: '16 at once', terms: { concurrency: 16 } },
  { key: 'offered_50', name: '50 a second', terms: { concurrency: 64, perSecond: 50 } },
] as const;
type Load = (typeof LOADS)[number];
/** Where the bar is: what is offered does not depend on how fast it is taken. */
const COMPARED: Load['key'] = 'offered_50';
/** p99 with Temporal up ÷ down. Down, nothing is mailed: the difference is the mails, too. */
const BAR = 1.5;
/** Each request is counted, and none refused. */
const COUNTED = { RATE_LIMIT_WRITES: '1000000' } as const;

const VARIANTS = [
  { key: 'down', name: 'Temporal down' },
  { key: 'up', name: 'Temporal up' },
] as const;
type Key = (typeof VARIANTS)[number]['key'];
type Results = ReadonlyMap<string, readonly ConfirmLoadResult[]>;

/** Measures confirm over HTTP, with and without Temporal. */
export async function runConfirm(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const load = startConfirmLoadGenerator(testbed);
  const setting = { env: { ...SHIPPED, ...COUNTED } };
  const deployments = {
    down: await startDeployment(testbed, 'down', setting),
    up: await startDeployment(testbed, 'up', setting),
  };
  const confirmed = { down: 0, up: 0 };
  const confirm = async (key: Key, { terms }: Load, seconds: number) => {
    const { port, requests, untilQuiet } = deployments[key];
    const result = await load.send({ port, requests, ...terms, seconds });
    confirmed[key] += result.latencies.length;
    await untilQuiet();
    return result;
  };

  const results = new Map<string, ConfirmLoadResult[]>();
  for (const { key } of VARIANTS) await confirm(key, LOADS[1], options.quick ? 1 : 3);
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const each of LOADS) {
      for (const { key, name } of VARIANTS) {
        testbed.log(`Repetition ${repetition}, ${each.name}, ${name}`);
        const result = await confirm(key, each, options.quick ? 1 : 5);
        appendTo(results, `${key}.${each.key}`, result);
      }
    }
  }
  for (const { key } of VARIANTS) await deployments[key].verify(confirmed[key]);
  const section = sectionOf(results, confirmed.down + confirmed.up);
  options.print(section);
  return [section];
}

const perSecond = (results: readonly ConfirmLoadResult[]) =>
  results.map(({ latencies, seconds }) => latencies.length / seconds);
const percentiles = (results: readonly ConfirmLoadResult[], percent: number) =>
  results.map(({ latencies }) => percentile(latencies, percent));

function sectionOf(results: Results, confirms: number): Section {
  const of = (key: Key, load: Load['key']) => results.get(`${key}.${load}`) ?? [];
  const p99 = (key: Key) => percentiles(of(key, COMPARED), 99);
  return {
    key: 'confirm',
    figures: figuresOf(results),
    title: 'Confirm, ms (p50/p99) and confirms/s (min/median/max)',
    note:
      `${confirms.toLocaleString('en-GB')} redemptions of many wallets, all verified; HTTP with ` +
      'a signed token per consumer, whose requests are counted and logged as they ship; separate ' +
      'API, worker and load. What follows the redemptions of one measurement is done before the ' +
      'next.',
    columns: ['variant', ...LOADS.flatMap(({ name }) => [`${name}, ms`, 'confirms/s'])],
    rows: VARIANTS.map(({ key, name }) => [
      name,
      ...LOADS.flatMap((load) => [
        formatLatency(of(key, load.key).flatMap(({ latencies }) => latencies)),
        formatSpread(spreadOf(perSecond(of(key, load.key)))),
      ]),
    ]),
    bars: [
      ratioBar('p99 at an offered 50/s, Temporal up ÷ down', [p99('up'), p99('down')], {
        atMost: BAR,
      }),
    ],
  };
}

function figuresOf(results: Results): Readonly<Record<string, Spread>> {
  const lists = [...results].flatMap(([key, measured]): [string, number[]][] => [
    [`${key}.confirms_per_second`, perSecond(measured)],
    [`${key}.p50_ms`, percentiles(measured, 50)],
    [`${key}.p99_ms`, percentiles(measured, 99)],
  ]);
  return spreadsOf(new Map(lists));
}
