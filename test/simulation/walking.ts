import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForAll, pagesOf, type Request } from './client.ts';
import { Contradiction } from './model.ts';
import type { Play, Walk } from './playing.ts';

const Item = z.object({ id: z.string() });
const PAUSE_MS = 40;

/** Begins to read a list that the seed draws, by small pages. */
export async function beginWalk(play: Play): Promise<Walk> {
  const { deployment, shop, chance } = play;
  const own = `/client/tenants/${shop.tenantId}`;
  const lists = [
    `${own}/transactions`,
    `${own}/redemptions`,
    `${own}/events`,
    `${own}/webhook-endpoints/${shop.endpoint.id}/deliveries`,
    `${own}/audit-logs`,
  ] as const;
  const path = chance.oneOf(lists);
  const token = shop.merchant;
  const all = await askForAll(deployment.urls, Item, { path: `${path}?limit=100`, token });
  const read = walk(play, { path: `${path}?limit=${chance.between(1, 4)}`, token });
  // It may fail before anybody waits for it.
  read.catch(() => undefined);
  return { path, before: all.map(({ id }) => id), read };
}

async function walk({ deployment: { urls } }: Play, first: Request) {
  const ids: string[] = [];
  for await (const { status, body } of pagesOf(urls, first)) {
    if (status !== 200) return undefined;
    const items = z.array(Item).parse(body);
    ids.push(...items.map(({ id }) => id));
    await sleep(PAUSE_MS);
  }
  return ids;
}

/** Reads the list to its end. Throws a Contradiction if anything is missing, or is there twice. */
export async function endWalk({ path, before, read }: Walk): Promise<void> {
  const ids = await read;
  if (ids === undefined) return;
  const had = new Set(ids);
  const missing = before.filter((id) => !had.has(id));
  if (missing.length > 0) throw new Contradiction(`No page of ${path} has ${missing.join(', ')}.`);
  if (had.size < ids.length) throw new Contradiction(`Pages of ${path} have something twice.`);
}
