import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeListener } from '../../db/changes/listener.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { money } from '../../domain/texts/wording.ts';
import { newSecret, signedHeaders } from '../../gateways/webhooks/signature.ts';
import { startChromium } from '../../sandbox/processes/chromium.ts';
import { acceptedCurrencies, numberIn } from '../support/currencies.ts';
import { aCredit, aRule, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';
import { inBrowser } from '../support/http/browser.ts';
import { hearing } from '../support/http/streams.ts';
import { type BuiltPackage, buildPackage } from './built-package.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { type PageServer, startPageServer } from './page-server.ts';

// The built package in a real browser, from another origin, against the running service.

declare global {
  /** In the page. */
  var sdk: typeof import('../../sdk/index.ts');
  var seen: { event: string; balance?: number }[];
  var leave: AbortController;
}

const PAGE = `<!doctype html>
<script type="importmap">
  { "imports": { "loyalty-points-client": "/sdk/index.js", "openapi-fetch": "/openapi-fetch.mjs" } }
</script>
<script type="module">
  import * as sdk from 'loyalty-points-client';
  globalThis.sdk = sdk;
</script>`;

const SOON = { timeout: 20_000, interval: 20 };
const app = await useApp({ settings: { corsAllowsLoopback: true }, timing: { tickMs: 50 } });
let built: BuiltPackage;
let browser: Browser;
let pages: PageServer;
let proxy: CuttingProxy;
let listener: ChangeListener;
beforeAll(async () => {
  built = await buildPackage();
  await writeFile(join(built.folder, 'index.html'), PAGE);
  pages = await startPageServer({ pages: built.folder, sdk: join(built.path, 'dist') });
  proxy = await startCuttingProxy(app.url);
  listener = await hearing(app);
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await listener.close();
  await proxy.close();
  await pages.close();
  await built.remove();
});

let page: Page;
let ada: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
let given: { baseUrl: string; token: string; walletId: string };
beforeEach(async () => {
  ada = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(app.db);
  await aRule(app.db, tenantId);
  walletId = await aWallet(app.db, { userId: ada.userId, tenantId, balance: 100 });
  given = { baseUrl: proxy.url, token: ada.token, walletId };
  page = await browser.newPage();
  await page.goto(`${pages.url}/index.html`);
  await page.waitForFunction(() => globalThis.sdk !== undefined);
});
afterEach(() => page.close());

const credit = () => app.db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));

describe('the package in a browser', inBrowser, () => {
  it('reads a list to its end', async () => {
    for (let nth = 0; nth < 4; nth++) await credit();
    const balances = await page.evaluate(async ({ baseUrl, token, walletId }) => {
      const client = sdk.createClient({ baseUrl, token: () => token });
      const found: number[] = [];
      for await (const entry of client.all.listWalletHistory({ walletId, limit: 2 })) {
        found.push(entry.balanceAfter);
      }
      return found;
    }, given);
    expect(balances).toEqual([104, 103, 102, 101, 100]);
  });

  it('reads why the service refused, and by which id to ask', async () => {
    const said = await page.evaluate(async ({ baseUrl, token, walletId }) => {
      const client = sdk.createClient({ baseUrl, token: () => token });
      const call = client.confirmRedemption({ walletId, body: { pointsToRedeem: 1000 } });
      const error = await call.catch((thrown: unknown) => thrown);
      if (!sdk.isLoyaltyError(error)) throw error;
      const { status, code, correlationId } = error;
      return { status, code, correlationId, params: error.issue('insufficient_balance')?.params };
    }, given);
    expect(said).toEqual({
      status: 422,
      code: 'INSUFFICIENT_BALANCE',
      correlationId: expect.stringMatching(/./),
      params: { balance: 100 },
    });
  });

  it('repeats a write whose answer is lost, which takes effect once', async () => {
    const redeem = () =>
      page.evaluate(async ({ baseUrl, token, walletId }) => {
        const client = sdk.createClient({ baseUrl, token: () => token });
        return client.confirmRedemption({ walletId, body: { pointsToRedeem: 10 } });
      }, given);
    await redeem();
    proxy.answersToLose = 3;
    await redeem();
    expect(proxy.answersToLose).toBe(0);
    expect(await app.db('redemptions').where({ walletId })).toHaveLength(2);
  });

  it('ends a call by its signal', async () => {
    const name = await page.evaluate(async ({ baseUrl, token }) => {
      const client = sdk.createClient({ baseUrl, token: () => token });
      const call = client.listWallets({}, { signal: AbortSignal.abort() });
      return call.catch((error: Error) => error.name);
    }, given);
    expect(name).toBe('AbortError');
  });

  it('follows a stream through a connection that breaks', async () => {
    const seen = () => page.evaluate(() => globalThis.seen);
    await page.evaluate(({ baseUrl, token }) => {
      globalThis.seen = [];
      globalThis.leave = new AbortController();
      const client = sdk.createClient({ baseUrl, token: () => token });
      const follow = async () => {
        for await (const sent of client.followEvents({ signal: leave.signal })) {
          const balance = sent.event === 'wallet' && { balance: sent.data.balance };
          globalThis.seen.push({ event: sent.event, ...balance });
        }
        globalThis.seen.push({ event: 'ended' });
      };
      void follow();
    }, given);
    await expect.poll(seen, SOON).toEqual([{ event: 'reset' }]);
    await credit();
    app.streams.touchAll();
    await expect.poll(seen, SOON).toContainEqual({ event: 'wallet', balance: 101 });
    proxy.cut();
    await credit();
    await expect.poll(seen, SOON).toContainEqual({ event: 'wallet', balance: 102 });
    await page.evaluate(() => globalThis.leave.abort());
    await expect.poll(async () => (await seen()).at(-1), SOON).toEqual({ event: 'ended' });
    expect((await seen()).filter(({ event }) => event === 'reset')).toHaveLength(1);
    await expect.poll(() => app.streams.count(), SOON).toBe(0);
  });

  it('shows an amount of every currency as mails do', async () => {
    const shown = await page.evaluate(
      (codes) => codes.map((code) => sdk.formatMinorUnits(123_456, code, 'en')),
      acceptedCurrencies,
    );
    const expected = acceptedCurrencies.map((currency) => money(123_456, { currency }));
    expect(shown.map(numberIn)).toEqual(expected.map(numberIn));
  });

  it('verifies a webhook', async () => {
    const secret = newSecret();
    const body = '{"type":"points.credited","timestamp":"2026-01-15T10:00:00Z","data":{}}';
    const headers = signedHeaders(body, { id: 'e-1', sentAt: new Date(), secrets: [secret] });
    const outcome = await page.evaluate(
      async ({ body, headers, secret }) => {
        const { id } = await sdk.verifyWebhook(body, headers, secret);
        const forged = sdk.verifyWebhook(`${body} `, headers, secret);
        return [id, await forged.catch((error: Error) => error.name)];
      },
      { body, headers, secret },
    );
    expect(outcome).toEqual(['e-1', 'WebhookVerificationError']);
  });
});
