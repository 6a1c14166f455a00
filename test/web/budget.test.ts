import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { APPS } from '../../web/policy.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How much an app may load until its first page is shown, with an empty cache.

const MOST_BYTES = 150_000;
const PEOPLE = {
  wallet: 'consumer',
  till: 'operator',
  portal: 'merchant',
  office: 'admin',
} as const;

const shop = await useShop();
const { open } = useScreens(shop);
await shop.sell({ email: 'ada@example.com', amount: 1_250 });

describe.each(APPS)('the %s', inBrowser, (app) => {
  it('comes with at most 150 KB, compressed', async () => {
    const received = new Map<string, number>();
    const { page } = await open({
      app,
      person: PEOPLE[app],
      before: async (context) => {
        context.on('requestfinished', async (request) => {
          if (new URL(request.url()).origin !== shop.url) return;
          // What the worker keeps for later is not waited for.
          if (request.serviceWorker() !== null) return;
          const { responseBodySize } = await request.sizes();
          // What comes twice is from the cache the second time, with no bytes or with the same.
          received.set(request.url(), Math.max(responseBodySize, received.get(request.url()) ?? 0));
        });
      },
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // Not for an idle network: the streams of events stay open.
    await expect.poll(() => isStill(received), SOON).toBe(true);
    const scripts = [...received.keys()].filter((url) => /\/assets\/.*\.js$/.test(url));
    expect(scripts.length).toBeGreaterThan(1);
    const bytes = [...received.values()].reduce((sum, each) => sum + each, 0);
    expect(required(received.get(required(scripts[0])))).toBeGreaterThan(0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});

async function isStill(received: ReadonlyMap<string, number>): Promise<boolean> {
  const before = received.size;
  await sleep(1_000);
  return received.size === before;
}
