import type { UserId, WalletId } from '../../domain/ids.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { buildRequest } from '../confirm-deployment.ts';
import { type ConfirmLoadResult, startConfirmLoadGenerator } from '../confirm-load.ts';
import { startDiscardingMailServer } from '../discarding-mail-server.ts';
import { startIssuer } from '../issuer.ts';
import { type Options, repetitions } from '../options.ts';
import { startApi } from '../programs.ts';
import { formatLatency, type Section } from '../report.ts';
import { ISSUER } from '../settings.ts';
import { appendTo, percentile } from '../statistics.ts';
import type { Testbed } from '../testbed.ts';
import { type Built, type Pair, spreadConsumers } from './pair.ts';

const CONCURRENCY = 16;
const CONSUMERS = 2_000;
const BAR = 1.3;

/** Measures confirming over HTTP, by consumers all over each database; Temporal is down. */
export async function measureConfirming(
  testbed: Testbed,
  pair: Pair,
  options: Options,
): Promise<Section> {
  const load = startConfirmLoadGenerator(testbed);
  const servers = [
    { built: pair.small, ...(await serve(testbed, pair.small)) },
    { built: pair.large, ...(await serve(testbed, pair.large)) },
  ];
  const results = new Map<Built, ConfirmLoadResult[]>();
  const seconds = options.quick ? 1 : 5;
  for (const { port, requests } of servers) {
    await load.send({ port, requests, concurrency: CONCURRENCY, seconds });
  }
  for (const repetition of repetitions(options)) {
    for (const { built, port, requests } of servers) {
      testbed.log(`Confirming, repetition ${repetition}, ${built.size.name}`);
      const result = await load.send({ port, requests, concurrency: CONCURRENCY, seconds });
      appendTo(results, built, result);
    }
  }
  for (const { stop } of servers) await stop();
  const latencies = (built: Built) => (results.get(built) ?? []).map((each) => each.latencies);
  const medianP99 = (built: Built) =>
    percentile(
      latencies(built).map((each) => percentile(each, 99)),
      50,
    );
  return {
    title: `Confirming, ${CONCURRENCY} at a time, ms (p50/p99)`,
    note: 'HTTP with a signed token per consumer; separate API and load.',
    columns: ['database', 'ms', 'median p99'],
    rows: [pair.small, pair.large].map((built) => [
      built.size.name,
      formatLatency(latencies(built).flat()),
      medianP99(built),
    ]),
    bars: [
      {
        figure: 'confirm p99, large ÷ small',
        value: medianP99(pair.large) / medianP99(pair.small),
        atMost: BAR,
      },
    ],
  };
}

type Consumer = { sub: string; walletId: WalletId; userId: UserId };

async function serve(testbed: Testbed, built: Built) {
  const { rows: consumers } = await built.db.raw<{ rows: Consumer[] }>(
    `select u.sub, w.id as wallet_id, u.id as user_id
     from users u join wallets w on w.user_id = u.id
     where u.iss = :iss and u.sub = any(:subs) order by u.id`,
    { iss: ISSUER, subs: spreadConsumers(built, CONSUMERS).map(String) },
  );
  const issuer = await startIssuer(testbed);
  const api = await startApi(testbed, {
    name: `api-${built.size.name}`,
    databaseUrl: built.url,
    temporalAddress: `127.0.0.1:${await freePort()}`,
    env: { ...issuer.env, SMTP_URL: await startDiscardingMailServer(testbed) },
  });
  const requests = await Promise.all(
    consumers.map(async ({ sub, walletId }) =>
      buildRequest(walletId, await issuer.tokenFor(Number(sub))),
    ),
  );
  return { port: api.port, requests, stop: () => api.stop() };
}
