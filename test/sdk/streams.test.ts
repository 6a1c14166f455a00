import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChangeListener } from '../../db/changes/listener.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import {
  type ClientOptions,
  type ConsumerEvent,
  createClient,
  type FollowOptions,
} from '../../sdk/index.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { aCredit, aRule, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';
import { startHttpServer } from '../support/http/http-server.ts';
import { hearing } from '../support/http/streams.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

// The client's streams against the running service, through connections that break.

const SOON = { timeout: 20_000, interval: 20 };
const app = await useApp({ timing: { checkEveryMs: 300, tickMs: 50 } });
let proxy: CuttingProxy;
let listener: ChangeListener;
beforeAll(async () => {
  proxy = await startCuttingProxy(app.url);
  listener = await hearing(app);
});
afterAll(async () => {
  await listener.close();
  await proxy.close();
});

let ada: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
let leave: AbortController;
beforeEach(async () => {
  ada = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(app.db);
  await aRule(app.db, tenantId);
  walletId = await aWallet(app.db, { userId: ada.userId, tenantId, balance: 100 });
  leave = new AbortController();
});
afterEach(async () => {
  leave.abort();
  await expect.poll(() => app.streams.count(), SOON).toBe(0);
});

const clientOf = (person: SignedIn, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: proxy.url, token: () => person.token, ...options });

/** Follows the events of a person in the background. */
function following(client = clientOf(ada), options: FollowOptions = {}) {
  const events: ConsumerEvent[] = [];
  const breaks: unknown[] = [];
  const read = async () => {
    const given = { signal: leave.signal, onDisconnect: (why: unknown) => breaks.push(why) };
    for await (const event of client.followEvents({ ...given, ...options })) events.push(event);
    return 'ended';
  };
  const reading = read();
  const kinds = () => events.map(({ event }) => event);
  const balances = () =>
    events.flatMap((sent) => (sent.event === 'wallet' ? [sent.data.balance] : []));
  return { events, breaks, reading, kinds, balances };
}
const credit = async (points = 1) => {
  await app.db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
  app.streams.touchAll();
};

describe('followEvents', () => {
  it('begins with a reset, tells what changes, and ends with its signal', async () => {
    const { events, reading, kinds } = following();
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await clientOf(ada).confirmRedemption({ walletId, body: { pointsToRedeem: 30 } });
    await expect.poll(kinds, SOON).toEqual(expect.arrayContaining(['wallet', 'redemption']));
    const [redemption] = events.flatMap((sent) => (sent.event === 'redemption' ? sent : []));
    expect(redemption?.data).toMatchObject({ status: 'issued', points: 30 });
    expect(redemption?.id).toMatch(/./);
    leave.abort();
    expect(await reading).toBe('ended');
  });

  it('misses nothing when connections break, and is not told to start again', async () => {
    const { balances, kinds, breaks } = following();
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await credit();
    await expect.poll(balances, SOON).toContain(101);
    proxy.isDown = true;
    proxy.cut();
    await credit();
    await expect.poll(() => breaks.length, SOON).toBeGreaterThan(1);
    proxy.isDown = false;
    await expect.poll(balances, SOON).toContain(102);
    expect(kinds().filter((kind) => kind === 'reset')).toHaveLength(1);
  });

  it('resumes although no event was sent before the connection broke', async () => {
    const { balances, kinds } = following();
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await expect.poll(() => app.streams.count(), SOON).toBe(1);
    proxy.cut();
    await credit();
    await expect.poll(balances, SOON).toContain(101);
    expect(kinds()).toEqual(['reset', 'wallet']);
  });

  it('resumes from an event of before, and starts again from one that is unknown', async () => {
    const first = following();
    await expect.poll(first.kinds, SOON).toEqual(['reset']);
    await credit();
    await expect.poll(first.balances, SOON).toEqual([101]);
    leave.abort();
    await first.reading;
    await credit();
    leave = new AbortController();
    const id = first.events.at(-1)?.id;
    const second = following(clientOf(ada), { lastEventId: id ?? '', signal: leave.signal });
    await expect.poll(second.balances, SOON).toContain(102);
    expect(second.kinds()).not.toContain('reset');
    const third = following(clientOf(ada), { lastEventId: 'unknown', signal: leave.signal });
    await expect.poll(third.kinds, SOON).toEqual(['reset']);
  });

  it('goes on with a new token when the first has run out', async () => {
    const old = await app.issuer.token({ sub: 'x', exp: 1_000 });
    let token = old;
    const source = ({ refresh }: { refresh: boolean }) => {
      if (refresh) token = ada.token;
      return token;
    };
    const { kinds } = following(clientOf(ada, { token: source }));
    await expect.poll(kinds, SOON).toEqual(['reset']);
    expect(token).toBe(ada.token);
  });

  it('throws when the person is refused, at the start and while it is open', async () => {
    const suspended = await app.signIn({ role: 'consumer', status: 'suspended' });
    await expect(following(clientOf(suspended)).reading).rejects.toMatchObject({ status: 401 });
    const { reading, kinds } = following();
    const refused = expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await app.db('users').where({ id: ada.userId }).update({ status: 'suspended' });
    await refused;
  });

  it('ends with its signal also when garbage was collected meanwhile', async () => {
    const { reading, kinds } = following();
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await collectGarbage();
    leave.abort();
    expect(await reading).toBe('ended');
  });

  it('closes its connection when whoever iterates has had enough', async () => {
    for await (const event of clientOf(ada).followEvents()) {
      expect(event.event).toBe('reset');
      break;
    }
    await expect.poll(() => app.streams.count(), SOON).toBe(0);
  });
});

describe('a stream', () => {
  const stream = (body: string) => ({
    status: 200,
    body,
    headers: { 'content-type': 'text/event-stream' },
  });

  it('that is silent is left, and opened again', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\n\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = z.object({ port: z.int() }).parse(server.address());
    const streams = { silenceMs: 200, longestWaitMs: 10 };
    const baseUrl = `http://127.0.0.1:${port}`;
    const { breaks, kinds } = following(clientOf(ada, { baseUrl, streams }));
    await expect.poll(kinds, SOON).toEqual(['reset']);
    await collectGarbage();
    await expect.poll(() => breaks.length, SOON).toBeGreaterThan(2);
    expect(breaks[0]).toMatchObject({ message: 'The stream is silent.' });
    expect(kinds()).toEqual(['reset']);
    leave.abort();
    server.closeAllConnections();
    server.close();
  });

  it('that ends again and again without an event is opened as soon as it is asked to', async () => {
    const server = await startHttpServer(() => stream('retry: 20\n\nid: 1\n\n'));
    const { breaks, kinds } = following(clientOf(ada, { baseUrl: server.url }));
    await expect.poll(() => breaks.length, SOON).toBeGreaterThan(12);
    expect(kinds()).toEqual(['reset']);
    leave.abort();
    await server.close();
  });

  it('waits when there are too many, as asked, and skips what it does not know', async () => {
    const many = { status: 429, body: {}, headers: { 'retry-after': '1' } };
    const later = stream(
      'retry: 1\n\nid: 1\nevent: news\ndata: {}\n\nid: 2\nevent: reset\ndata:\n\n',
    );
    const answers = [many, later];
    const server = await startHttpServer(() => answers.shift() ?? 'hangs');
    const began = performance.now();
    const { events, kinds } = following(clientOf(ada, { baseUrl: server.url }));
    await expect.poll(kinds, SOON).toEqual(['reset', 'reset']);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
    expect(events.at(-1)).toEqual({ id: '2', event: 'reset', data: {} });
    await expect.poll(() => server.requests.at(-1)?.headers['last-event-id'], SOON).toBe('2');
    leave.abort();
    await server.close();
  });
});

describe('followShopEvents', () => {
  it('tells the till of a code that was burned', async () => {
    const carl = await app.signIn({ role: 'pos_operator', member: tenantId });
    const till = clientOf(carl, { shop: tenantId });
    const { redemptionCode } = await clientOf(ada).confirmRedemption({
      walletId,
      body: { pointsToRedeem: 30 },
    });
    for await (const sent of till.followShopEvents({ signal: leave.signal })) {
      if (sent.event === 'reset') await till.completeRedemption({ body: { code: redemptionCode } });
      else {
        expect(sent.data).toMatchObject({ points: 30 });
        break;
      }
    }
  });
});
