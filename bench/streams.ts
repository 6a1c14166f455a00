import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../db/changes/announce.ts';
import { connect, type Db } from '../db/connection.ts';
import type { UserId, WalletId } from '../domain/ids.ts';
import { freePort } from '../sandbox/processes/ports.ts';
import { creditByHand } from './adjustments.ts';
import { machineMs } from './clock.ts';
import { startIssuer } from './issuer.ts';
import type { Options } from './options.ts';
import { measureCpu, memoryOf } from './process-figures.ts';
import { startApi } from './programs.ts';
import { formatLatency, type Section } from './report.ts';
import { percentile, spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const COUNTS = [500, 2_000, 5_000];
const QUICK_COUNTS = [100];
/** So many are opened at a time. */
const OPENED_TOGETHER = 50;
/** Two rounds in which all streams are read again. */
const IDLE_MS = 60_000;
const QUICK_IDLE_MS = 5_000;
const SINGLE = 200;
const CREDITED_TOGETHER = 100;
const ARRIVE_WITHIN_MS = 60_000;

type Person = { walletId: WalletId; userId: UserId };
type Follower = Person & { socket: Socket; arrivedAt: number[] };

/**
 * Measures one API process with many open streams, each of another person: its memory, what it does
 * while nothing happens, how soon a change arrives, and how long it takes to tell all of them.
 */
export async function runStreams(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const databaseUrl = await testbed.database('bench_streams');
  const db = connect(databaseUrl, 5, 'loyalty-bench');
  testbed.onClose(() => db.destroy());
  const issuer = await startIssuer(testbed);
  const temporalAddress = `127.0.0.1:${await freePort()}`;
  const api = await startApi(testbed, { databaseUrl, temporalAddress, env: issuer.env });
  const counts = options.quick ? QUICK_COUNTS : COUNTS;
  const people = await firstPeople(db, Math.max(...counts));
  const open = async (person: Person, nth: number) =>
    follow(person, { port: api.port, token: await issuer.tokenFor(nth) });

  const followers: Follower[] = [];
  testbed.onClose(async () => {
    for (const { socket } of followers) socket.destroy();
  });
  const atRest = memoryOf(api.pid).nowMib;
  const rows: (string | number)[][] = [];
  const figures = new Map<string, number>();
  for (const count of counts) {
    testbed.log(`Opening ${count} streams`);
    for (let next = followers.length; next < count; next = followers.length) {
      const some = people.slice(next, Math.min(next + OPENED_TOGETHER, count));
      followers.push(...(await Promise.all(some.map((each, nth) => open(each, next + nth)))));
    }
    const cpu = measureCpu([api.pid]);
    const idleMs = options.quick ? QUICK_IDLE_MS : IDLE_MS;
    await sleep(idleMs);
    const idleShare = (cpu(idleMs * 1_000)[0] ?? Number.NaN) * 100;
    const { nowMib } = memoryOf(api.pid);
    const single = await tellSome(db, followers);
    const allMs = await tellAll(db, followers);
    rows.push([String(count), nowMib, idleShare, formatLatency(single), allMs]);
    figures.set(`${count}.resident_mib`, nowMib);
    figures.set(`${count}.idle_percent`, idleShare);
    figures.set(`${count}.single_p99_ms`, percentile(single, 99));
    figures.set(`${count}.all_ms`, allMs);
  }
  const section: Section = {
    key: 'streams',
    figures: Object.fromEntries([...figures].map(([key, value]) => [key, spreadOf([value])])),
    title: 'Open streams of one API process',
    note:
      `Each of another person. Before the first one: ${atRest.toFixed(0)} MiB. Idle: after a ` +
      'minute, in which all were read again twice. From the commit to the arrival of the event.',
    columns: ['streams', 'MiB', 'idle, % of a core', 'one change, ms', 'a change for all, ms'],
    rows,
    bars: [],
  };
  options.print(section);
  return [section];
}

async function firstPeople(db: Db, count: number): Promise<Person[]> {
  const { rows } = await db.raw<{ rows: Person[] }>(
    `select w.id as wallet_id, u.id as user_id from wallets w join users u on u.id = w.user_id
     where u.sub::int < :count order by u.sub::int`,
    { count },
  );
  return rows;
}

/** Opens a stream; notes when each event arrives. */
async function follow(
  person: Person,
  { port, token }: { port: number; token: string },
): Promise<Follower> {
  const socket = connectTo(port, '127.0.0.1');
  const follower: Follower = { ...person, socket, arrivedAt: [] };
  const head = [
    'GET /api/v1/consumer/events HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${token}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [first] = await once(socket, 'data');
  if (!String(first).startsWith('HTTP/1.1 200')) throw new Error(`Not opened: ${first}`);
  socket.on('data', (text) => {
    for (const _ of String(text).matchAll(/^event: wallet$/gm))
      follower.arrivedAt.push(machineMs());
  });
  return follower;
}

/** Changes one wallet after the other, and returns how long each change took to arrive. */
async function tellSome(db: Db, followers: readonly Follower[]): Promise<number[]> {
  const latencies: number[] = [];
  for (let nth = 0; nth < Math.min(SINGLE, followers.length); nth++) {
    const follower = followers[(nth * 7) % followers.length];
    if (follower === undefined) continue;
    follower.arrivedAt = [];
    await creditByHand(db, [{ walletId: follower.walletId, points: 1 }]);
    const committedAt = machineMs();
    announce(db, { userIds: [follower.userId] });
    latencies.push((await untilArrived([follower])) - committedAt);
  }
  return latencies;
}

/** Changes every wallet, and returns how long it took from the last commit until all arrived. */
async function tellAll(db: Db, followers: readonly Follower[]): Promise<number> {
  for (const follower of followers) follower.arrivedAt = [];
  for (let next = 0; next < followers.length; next += CREDITED_TOGETHER) {
    const some = followers.slice(next, next + CREDITED_TOGETHER);
    await creditByHand(
      db,
      some.map(({ walletId }) => ({ walletId, points: 1 })),
    );
    announce(db, { userIds: some.map(({ userId }) => userId) });
  }
  const committedAt = machineMs();
  return Math.max(0, (await untilArrived(followers)) - committedAt);
}

/** Returns when the last of the first events arrived. */
async function untilArrived(followers: readonly Follower[]): Promise<number> {
  for (const deadline = machineMs() + ARRIVE_WITHIN_MS; machineMs() < deadline; await sleep(1)) {
    if (followers.every(({ arrivedAt }) => arrivedAt.length > 0)) {
      return Math.max(...followers.map(({ arrivedAt }) => arrivedAt[0] ?? Number.NaN));
    }
  }
  throw new Error(`Events had not arrived after ${ARRIVE_WITHIN_MS / 1000} s`);
}
