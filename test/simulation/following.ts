import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LoyaltyError } from '../../sdk/errors.ts';
import { type ConsumerEvent, follow, type ShopEvent, STREAM_TIMING } from '../../sdk/follow.ts';
import { pagesOf } from './client.ts';
import type { Faults } from './faults.ts';
import { Contradiction } from './model.ts';
import type { Page, Play } from './playing.ts';

/** Announcements come at once. */
const SOON_MS = 10_000;
/** One that a fault has swallowed is made up for by the next reading of all streams. */
const LATEST_MS = 70_000;
const PAUSE_MS = 100;
/** A history does not wait half a minute for an API that is back. */
const TIMING = { ...STREAM_TIMING, longestWaitMs: 500 };

/** What a wallet or a code is in; the rest of it never changes, or is of the moment of reading. */
const Item = z.object({
  id: z.string(),
  status: z.string().optional(),
  balance: z.int().optional(),
  owed: z.int().optional(),
  cancelled: z.boolean().optional(),
  usedAt: z.string().nullish(),
  code: z.string().nullish(),
});

/** Where an app follows what it shows, and where it reads that first. */
const WALLET = {
  events: '/consumer/events',
  lists: ['/consumer/wallets', '/consumer/redemptions'],
};
const TILL = { events: '/pos/events', lists: ['/pos/redemptions'] };

type At = typeof WALLET & { urls: readonly string[]; token: string; shop?: string };

/** Opens the wallet of somebody whom the seed draws, or the till, as their apps do. */
export function openPage({ deployment: { urls }, shop, chance }: Play): Page {
  const [name, person] = [...shop.people][chance.between(0, shop.people.size)] ?? [];
  const at: At =
    person === undefined
      ? { ...TILL, urls, token: shop.operator, shop: shop.tenantId }
      : { ...WALLET, urls, token: person.token };
  const leaving = new AbortController();
  const page: Page = {
    whose: name ?? 'the till',
    shown: new Map(),
    read: () => readAll(at),
    ended: Promise.resolve(),
    close: () => leaving.abort(),
  };
  page.ended = keepCurrent(page, at, leaving.signal).catch((error: unknown) => {
    page.failure = error;
  });
  return page;
}

async function keepCurrent(page: Page, at: At, signal: AbortSignal): Promise<void> {
  const source = {
    events: ['wallet', 'redemption', 'reset'],
    connect: (headers: Record<string, string>, each: AbortSignal) => connect(at, headers, each),
  };
  for await (const event of follow<ConsumerEvent | ShopEvent>(source, { signal }, TIMING)) {
    if (event.event === 'reset') page.shown = await page.read();
    else page.shown.set(...lineOf(event.data));
  }
}

/**
 * Waits until the open page shows what another one would read now. Throws a Contradiction if it
 * does not come to that. A page of somebody who was suspended or erased meanwhile is gone.
 */
export async function expectCurrent({ faults }: Play, page: Page): Promise<void> {
  await untilCurrent(faults, page).catch((error: unknown) => {
    if (!(error instanceof LoyaltyError)) throw error;
  });
  page.close();
  await page.ended;
}

async function untilCurrent(faults: Faults, page: Page): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    if (page.failure !== undefined) throw page.failure;
    const differences = differencesOf(page.shown, await page.read());
    if (differences.length === 0) return;
    const latestMs = faults.hasBeen() ? LATEST_MS : SOON_MS;
    if (Math.min(Date.now() - startedAt, faults.quietMs()) > latestMs) {
      const whose = `Of the page that ${page.whose} has open:`;
      throw new Contradiction([whose, ...differences.slice(0, 10)].join('\n  '));
    }
    await sleep(PAUSE_MS);
  }
}

function differencesOf(shown: ReadonlyMap<string, string>, read: ReadonlyMap<string, string>) {
  const ids = new Set([...shown.keys(), ...read.keys()]);
  return [...ids].flatMap((id) => {
    const [here, there] = [shown.get(id), read.get(id)];
    return here === there ? [] : [`it shows ${here ?? `no ${id}`}, and ${there ?? 'none'} is read`];
  });
}

function connect({ urls, events, token, shop }: At, headers: object, signal: AbortSignal) {
  const url = urls[Math.floor(Math.random() * urls.length)];
  return fetch(`${url}/api/v1${events}`, {
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(shop !== undefined && { 'x-tenant-id': shop }),
    },
    signal,
  });
}

async function readAll({ urls, lists, token, shop }: At): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (const list of lists) {
    const request = { path: list, token, ...(shop !== undefined && { shop }) };
    for await (const { status, body } of pagesOf(urls, request)) {
      if (status >= 400)
        throw new LoyaltyError(`${list} is refused`, { status, code: 'FORBIDDEN' });
      for (const item of z.array(z.unknown()).parse(body)) shown.set(...lineOf(item));
    }
  }
  return shown;
}

function lineOf(data: unknown): [id: string, line: string] {
  const item = Item.parse(data);
  return [item.id, JSON.stringify(item)];
}
