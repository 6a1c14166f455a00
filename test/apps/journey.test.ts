import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeListener } from '../../db/changes/listener.ts';
import { startChromium } from '../../sandbox/processes/chromium.ts';
import { createClient } from '../../sdk/index.ts';
import { type BuiltPackage, buildPackage } from '../sdk/built-package.ts';
import { type PageServer, startPageServer } from '../sdk/page-server.ts';
import { aRule, aTenant } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { SignedIn } from '../support/http/app.ts';
import { inBrowser } from '../support/http/browser.ts';
import { hearing } from '../support/http/streams.ts';
import { aTill } from '../support/points/payments.ts';

// Three apps built on the client alone, clicked through in a real browser.

const APPS = fileURLToPath(new URL('.', import.meta.url));
const SOON = { timeout: 30_000, interval: 50 };
/** Longer than any app that polls would wait, on a screen that people look at. */
const QUIET_MS = 6_000;

const app = await useApp({ settings: { corsAllowsLoopback: true } });
const { db } = app;
let built: BuiltPackage;
let pages: PageServer;
let listener: ChangeListener;
let browser: Browser;
beforeAll(async () => {
  built = await buildPackage();
  pages = await startPageServer({ pages: APPS, sdk: `${built.path}/dist` });
  listener = await hearing(app);
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await listener.close();
  await pages.close();
  await built.remove();
});

let contexts: BrowserContext[] = [];
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  await expect.poll(() => app.streams.count(), SOON).toBe(0);
});

type Screen = { page: Page; asked: string[]; complaints: string[] };

/** Opens an app in a browser of its own, signed in, and records what it asks and complains of. */
async function open(name: string, person: SignedIn): Promise<Screen> {
  const context = await browser.newContext();
  contexts.push(context);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === app.url) asked.push(`${request.method()} ${pathname.replace('/api/v1', '')}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  const session = new URLSearchParams({ api: app.url, token: person.token });
  await page.goto(`${pages.url}/${name}.html#${session}`);
  return { page, asked, complaints };
}

const textOf = (page: Page, selector: string) => page.locator(selector).textContent();

describe('a consumer, a till and a merchant', inBrowser, () => {
  it('a sale becomes points, a code, a discount and a report, and nobody polls', async () => {
    const merchant = await app.signIn({ role: 'client', email: 'mia@shop.example' });
    const tenantId = await aTenant(db, { name: 'Corner Café', ownerId: merchant.userId });
    await createClient({ baseUrl: app.url, token: () => merchant.token }).updateOnboarding({
      tenantId,
      body: { currency: 'EUR' },
    });
    await aRule(db, tenantId);
    const ada = await app.signIn({ role: 'consumer', email: 'ada@example.com' });
    const carl = await app.signIn({ role: 'pos_operator', member: tenantId });
    const sell = await aTill(db, tenantId);

    const consumer = await open('consumer', ada);
    const till = await open('till', carl);
    await expect.poll(() => textOf(consumer.page, '#said'), SOON).toBe('Up to date.');
    await expect.poll(() => textOf(till.page, '#shop'), SOON).toBe('Corner Café');
    await expect.poll(() => app.streams.count(), SOON).toBe(2);

    await sell({ email: 'ada@example.com', amount: 1250 });
    await expect.poll(() => consumer.page.locator('.balance').count(), SOON).toBe(1);
    expect(await textOf(consumer.page, '.balance')).toBe('1250');
    await sell({ email: 'ada@example.com', amount: 250 });
    await expect.poll(() => textOf(consumer.page, '.balance'), SOON).toBe('1500');

    await consumer.page.locator('#wallets button').click();
    const redemption = consumer.page.locator('#redemptions article');
    await expect.poll(() => redemption.count(), SOON).toBe(1);
    const code = (await redemption.locator('.code').textContent()) ?? '';
    expect(code).toMatch(/^[0-9A-F]{12}$/);
    await expect.poll(() => textOf(consumer.page, '.balance'), SOON).toBe('0');

    await till.page.locator('input').fill(code.toLowerCase());
    await till.page.locator('#look-up button').click();
    await expect.poll(() => textOf(till.page, '#said'), SOON).toMatch(/gets .*€15\.00 off.*issued/);
    await till.page.locator('#burn').click();
    await expect.poll(() => textOf(till.page, '#said'), SOON).toMatch(/^Take .*€15\.00 off\.$/);
    await expect.poll(() => till.page.locator('#used li').count(), SOON).toBe(1);
    await expect.poll(() => redemption.locator('.status').textContent(), SOON).toBe('used');

    const report = await open('merchant', merchant);
    const row = report.page.locator('#redemptions tr');
    await expect.poll(() => row.count(), SOON).toBe(1);
    expect(await row.locator('td').allTextContents()).toEqual([
      expect.stringMatching(/\d/),
      expect.stringMatching(/^a.*@example\.com$/),
      '€15.00',
      'used',
      expect.stringMatching(/@/),
    ]);
    expect(await textOf(report.page, '#outstanding')).toBe('0');

    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    expect(consumer.asked).toEqual([
      'GET /consumer/events',
      'GET /consumer/wallets',
      'GET /consumer/redemptions',
      expect.stringMatching(/^POST .consumer.wallets.[^/]+.redeem.confirm$/),
    ]);
    expect(till.asked).toEqual([
      'GET /pos/context',
      'GET /pos/events',
      'GET /pos/redemptions',
      'POST /pos/redemptions/lookup',
      'POST /pos/redemptions/complete',
    ]);
    expect(report.asked).toEqual([...new Set(report.asked)]);
    for (const screen of [consumer, till, report]) expect(screen.complaints).toEqual([]);
  });

  it.each(['consumer', 'till', 'merchant'])('the %s is a hundred lines at most', (name) => {
    const text = readFileSync(`${APPS}/${name}.html`, 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from);
    expect(imported).toEqual(['loyalty-points-client']);
    expect(text).not.toMatch(/setInterval|setTimeout|fetch\(/);
    expect(readdirSync(APPS).filter((file) => file.endsWith('.html'))).toHaveLength(3);
  });
});
