import { setTimeout as sleep } from 'node:timers/promises';
import { startHttpServer } from '../http/http-server.ts';

type Use = { running: number; times: number[] };
type Most = { atOnce: number; perSecond: number };

/** How long the provider takes for an answer. */
const ANSWERS_AFTER_MS = 80;

/** A provider that counts how many calls it gets at once, and within any second. */
export async function startMeter() {
  const all: Use = { running: 0, times: [] };
  const tokens = new Map<string, Use>();
  const most = { atOnce: 0, perSecond: 0, ofToken: { atOnce: 0, perSecond: 0 } };
  const server = await startHttpServer(async ({ headers }) => {
    const token = `${headers.authorization}`;
    const its = tokens.get(token) ?? { running: 0, times: [] };
    tokens.set(token, its);
    begin(all, most);
    begin(its, most.ofToken);
    await sleep(ANSWERS_AFTER_MS);
    all.running -= 1;
    its.running -= 1;
    return { status: 200, body: { id: 'M1' } };
  });
  return { url: server.url, most, close: () => server.close() };
}

function begin(use: Use, most: Most): void {
  const now = performance.now();
  use.running += 1;
  use.times = [...use.times.filter((time) => time > now - 1_000), now];
  most.atOnce = Math.max(most.atOnce, use.running);
  most.perSecond = Math.max(most.perSecond, use.times.length);
}
