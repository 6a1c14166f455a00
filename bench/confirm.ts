import { randomUUID } from 'node:crypto';
import type { Db } from '../db/connection.ts';
import * as redemptions from '../db/redemptions/redemptions.ts';
import { RedemptionId } from '../domain/ids.ts';
import { CODE_LIFETIME_MS, quoteRedemption } from '../domain/redemption.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { machineMs } from './clock.ts';
import { type Consumer, type Deployment, POINTS, startDeployment } from './confirm-deployment.ts';
import {
  type ConfirmLoadGenerator,
  type ConfirmLoadResult,
  startConfirmLoadGenerator,
} from './confirm-load.ts';
import { type Options, repetitions } from './options.ts';
import { formatLatency, formatSpread, ratioBar, type Section } from './report.ts';
import { appendTo, percentile, type Spread, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const REPETITIONS = 5;
const CONCURRENCIES = [1, 16, 64] as const;
/** How many confirm at the same time where the bars are. */
const COMPARED = 16;
const BARS = { upOfDown: 0.85, p99OfSql: 2.5 } as const;

const VARIANTS = [
  { key: 'sql', name: 'SQL alone' },
  { key: 'down', name: 'HTTP, Temporal down' },
  { key: 'up', name: 'HTTP, Temporal up' },
] as const;
type Key = (typeof VARIANTS)[number]['key'];
type Confirm = (concurrency: number, seconds: number) => Promise<ConfirmLoadResult>;
type Results = ReadonlyMap<string, readonly ConfirmLoadResult[]>;

/** Measures confirm over HTTP, with and without Temporal, against its SQL alone. */
export async function runConfirm(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const load = startConfirmLoadGenerator(testbed);
  const deployments = {
    down: await startDeployment(testbed, 'down'),
    up: await startDeployment(testbed, 'up'),
  };
  const confirmed = { down: 0, up: 0 };
  const counted = async (of: 'down' | 'up', confirming: Promise<ConfirmLoadResult>) => {
    const result = await confirming;
    confirmed[of] += result.latencies.length;
    await deployments[of].untilQuiet();
    return result;
  };
  const { down, up } = deployments;
  const confirm: Record<Key, Confirm> = {
    sql: (...terms) => counted('down', confirmInSql(down, ...terms)),
    down: (...terms) => counted('down', confirmOverHttp(load, down, ...terms)),
    up: (...terms) => counted('up', confirmOverHttp(load, up, ...terms)),
  };

  const results = new Map<string, ConfirmLoadResult[]>();
  const seconds = options.quick ? 1 : 5;
  for (const { key } of VARIANTS) await confirm[key](COMPARED, options.quick ? 1 : 3);
  for (const repetition of repetitions(options, REPETITIONS)) {
    for (const concurrency of CONCURRENCIES) {
      for (const { key, name } of VARIANTS) {
        testbed.log(`Repetition ${repetition}, ${concurrency} concurrent, ${name}`);
        appendTo(results, `${key}.${concurrency}`, await confirm[key](concurrency, seconds));
      }
    }
  }
  await down.verify(confirmed.down);
  await up.verify(confirmed.up);
  const section = sectionOf(results, confirmed.down + confirmed.up);
  options.print(section);
  return [section];
}

function confirmOverHttp(
  load: ConfirmLoadGenerator,
  { port, requests }: Deployment,
  concurrency: number,
  seconds: number,
) {
  return load.send({ port, requests, concurrency, seconds });
}

const codes = createRedemptionCodes([{ id: 'k1', key: new Uint8Array(32) }]);

/** Runs only the transaction of the API's handler. */
async function confirmInSql(
  { db, consumers }: Deployment,
  concurrency: number,
  seconds: number,
): Promise<ConfirmLoadResult> {
  const result: ConfirmLoadResult = { refused: 0, seconds: 0, latencies: [] };
  const startedAt = machineMs();
  let next = 0;
  const work = async () => {
    while (machineMs() - startedAt < seconds * 1000) {
      const consumer = consumers[next++ % consumers.length];
      if (consumer === undefined) return;
      const sentAt = machineMs();
      await confirmOnce(db, consumer);
      result.latencies.push(machineMs() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  result.seconds = (machineMs() - startedAt) / 1000;
  return result;
}

async function confirmOnce(db: Db, { walletId, userId }: Consumer): Promise<void> {
  await db.transaction(async (tx) => {
    const wallet = await redemptions.lockRedeemable(tx, walletId, userId);
    const quote = quoteRedemption({ pointsToRedeem: POINTS, ...wallet });
    const owner = { id: RedemptionId.parse(randomUUID()), tenantId: wallet.tenantId };
    const points = quote.eligiblePoints;
    const redemption = { ...quote, ...owner, points, walletId, lifetimeMs: CODE_LIFETIME_MS };
    await redemptions.issue(tx, redemption, () => codes.make(owner));
  });
}

const perSecond = (results: readonly ConfirmLoadResult[]) =>
  results.map(({ latencies, seconds }) => latencies.length / seconds);
const percentiles = (results: readonly ConfirmLoadResult[], percent: number) =>
  results.map(({ latencies }) => percentile(latencies, percent));

function sectionOf(results: Results, confirms: number): Section {
  const of = (key: Key, concurrency: number) => results.get(`${key}.${concurrency}`) ?? [];
  const [sql, down, up] = VARIANTS.map(({ key }) => of(key, COMPARED));
  return {
    key: 'confirm',
    figures: figuresOf(results),
    title: 'Confirm, ms (p50/p99) and confirms/s (min/median/max)',
    note:
      `${confirms.toLocaleString('en-GB')} redemptions of many wallets, all verified; HTTP with ` +
      'a signed token per consumer; separate API, worker and load. What follows the redemptions ' +
      'of one measurement is done before the next.',
    columns: [
      'variant',
      ...CONCURRENCIES.flatMap((concurrency) => [`${concurrency} concurrent, ms`, 'confirms/s']),
    ],
    rows: VARIANTS.map(({ key, name }) => [
      name,
      ...CONCURRENCIES.flatMap((concurrency) => [
        formatLatency(of(key, concurrency).flatMap(({ latencies }) => latencies)),
        formatSpread(spreadOf(perSecond(of(key, concurrency)))),
      ]),
    ]),
    bars: [
      ratioBar(
        `confirms/s at ${COMPARED}, Temporal up ÷ down`,
        [perSecond(up ?? []), perSecond(down ?? [])],
        { atLeast: BARS.upOfDown },
      ),
      ratioBar(
        `p99 at ${COMPARED}, Temporal up ÷ SQL alone`,
        [percentiles(up ?? [], 99), percentiles(sql ?? [], 99)],
        { atMost: BARS.p99OfSql },
      ),
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
