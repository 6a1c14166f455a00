import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../../activities/ingestion/events/ingest-events.ts';
import type { IngestBatch } from '../../../api/intake/ingest-dispatcher.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { byProvider } from '../../../domain/payment.ts';
import { startDeveloperPage } from '../../../sandbox/developer/page.ts';
import { salePath } from '../../../sandbox/developer/sale-page.ts';
import { startChromium } from '../../../sandbox/processes/chromium.ts';
import { asSimulator as asAlpha } from '../../../sandbox/providers/alpha/index.ts';
import { startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { asSimulator as asBeta } from '../../../sandbox/providers/beta/index.ts';
import { startBeta } from '../../../sandbox/providers/beta/simulator.ts';
import {
  aBetaConnection,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { inBrowser } from '../../support/http/browser.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { providerSettings } from '../../support/providers/providers.ts';
import { expectSound, type Screen, SOON } from '../../web/screens.ts';

const KEY = 'a signature key';
const NOWHERE = 'http://127.0.0.1:9';
const app = await useApp({
  settings: {
    providers: providerSettings({ ALPHA_WEBHOOK_SIGNATURE_KEY: KEY, BETA_WEBHOOK_SECRET: KEY }),
  },
  ingest: (batch) => ingest(batch.eventIds),
});
const { db } = app;
const dir = await mkdtemp(join(tmpdir(), 'loyalty-machine-'));
const hooks = { port: 0, webhookUrl: NOWHERE, redirectUrl: NOWHERE, appId: 'A', appSecret: 's' };
const alpha = await startAlpha({ ...hooks, signatureKey: KEY });
const beta = await startBeta({ ...hooks, webhookSecret: KEY });
const tenantId = await aTenant(db);
const merchantId = `M-${randomUUID()}`;
await anAlphaConnection(db, { tenantId, merchantId });
await aRule(db, tenantId);
const email = 'ada@example.com';
await aUser(db, { email });
const place = {
  receiverFile: join(dir, 'receiver.json'),
  api: app.url,
  issuer: NOWHERE,
  mail: NOWHERE,
  db,
  temporal: { address: '127.0.0.1:9', uiUrl: 'http://127.0.0.1:8233' },
  webhookKeys: byProvider((name) => {
    return { key: KEY, url: `https://api.shop.example/api/v1/webhooks/${name}` };
  }),
  tenant: { tenantId, accounts: byProvider(() => ({ merchantId, customerId: '' })) },
  people: { list: () => [], named: () => undefined },
  simulators: byProvider((name) => (name === 'beta' ? asBeta(beta) : asAlpha(alpha))),
};
let developer = await startDeveloperPage({ ...place, port: 0 });
let browser: Browser | undefined;
afterAll(async () => {
  await browser?.close();
  await developer.stop();
  await alpha.stop();
  await beta.stop();
  await rm(dir, { recursive: true, force: true });
});

async function ingest(ids: IngestBatch['eventIds']) {
  await ingestEventBatch(db, ids, new Map(), testPolicy);
}

async function come(payment: Parameters<typeof anAlphaEvent>[1]) {
  const ids = await storedEvents(db, merchantId, [anAlphaEvent(merchantId, payment)]);
  await ingest(ids);
  return required(ids[0]);
}

async function opened(path: string, size: 'phone' | 'desktop', scheme: 'light' | 'dark' = 'light') {
  const width = size === 'phone' ? 390 : 1280;
  browser ??= await startChromium();
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  const screen: Screen = { page, size, complaints: [], asked: [] };
  page.on('pageerror', (error) => screen.complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') screen.complaints.push(message.text());
  });
  await page.goto(`${developer.url}${path}`);
  return screen;
}

describe('the time machine', inBrowser, () => {
  it('shows a webhook on its way to the ledger, live, and how little a copy changes', async () => {
    const first = await come({ email, amount: 1_250 });
    const screen = await opened('/time-machine', 'phone');
    const { page } = screen;
    const line = page.locator(`#line-${first}`);
    const said = (text: RegExp) => expect.poll(() => line.innerText(), SOON).toMatch(text);
    await said(/Received[\s\S]*Signature verified[\s\S]*Stored as[\s\S]*Run/);
    await said(/1250 points were credited[\s\S]*\+1250 points, balance 1250/);
    await expectSound(screen);
    await page.getByText('Live: new lines').waitFor();

    const second = await come({ email, amount: 300 });
    await page.locator(`#line-${second}`).getByText('+300 points, balance 1550').waitFor();
    expect(await page.locator('#lines > *').first().getAttribute('id')).toBe(`line-${second}`);

    await line.getByRole('button', { name: /^Replay: alpha/ }).click();
    await page.getByText('Nothing has changed.').waitFor();
    const shown = await page.getByRole('main').innerText();
    expect(shown).toMatch(/answered 200, and closed the copy as (duplicate|ignored)/);
    expect(shown).toMatch(/Balance of the wallet[\s\S]*1550 points[\s\S]*1550 points/);
    await expectSound(screen);
    await page.getByRole('link', { name: 'Time machine' }).click();
    await page.getByText(/Known already|Ignored/).waitFor();
    expect(await page.locator('#lines > *').count()).toBe(3);
  });

  it('shows what is ignored, what nobody has connected, and what a poll has found', async () => {
    await come({ email, amount: 100, status: 'APPROVED' });
    await storedEvents(db, 'nobody', [anAlphaEvent('nobody', { amount: 1 })]);
    const wallet = await db('wallets').where({ tenantId }).first<{ id: WalletId }>('id');
    await aCreditedPayment(db, required(wallet).id, 40);
    const screen = await opened('/time-machine', 'desktop', 'dark');
    const { page } = screen;
    await page.getByText('Ignored: the sale is not paid yet, or not any more').waitFor();
    await page.getByText('Nobody has connected this account').waitFor();
    await page.getByText('Found by a poll').waitFor();
    await expectSound(screen);
  });

  it('says that it has lost the connection, and catches up after it', async () => {
    const screen = await opened('/time-machine', 'desktop');
    const { page } = screen;
    await page.getByText('Live: new lines').waitFor();
    await developer.stop();
    await page.getByText('The connection is lost').waitFor();
    const missed = await come({ email, amount: 700 });
    developer = await startDeveloperPage({ ...place, port: Number(new URL(page.url()).port) });
    await page.locator(`#line-${missed}`).getByText('+700 points').waitFor();
  });
});

describe('the time machine without its page', () => {
  it('replays what beta has sent with its secret', async () => {
    const body = JSON.stringify({
      appId: 'A',
      merchants: { B1: [{ objectId: 'I:1', type: 'CREATE' }] },
    });
    await aBetaConnection(db, { tenantId, merchantId: 'B1' });
    const [id] = await storedEvents(db, 'B1', [Buffer.from(body)], 'beta');
    const replayed = await fetch(`${developer.url}/time-machine/replay`, {
      method: 'POST',
      body: new URLSearchParams({ id: required(id) }),
    });
    expect(await replayed.text()).toContain('answered 200, and closed the copy as ignored');
  });
});

describe('what a sale earned', () => {
  it('is shown with the reason, the entry and a link to the run', inBrowser, async () => {
    await come({ email, amount: 1_000, id: 'PAY_1' });
    const screen = await opened(salePath('alpha', 'PAY_1'), 'phone');
    const shown = await screen.page.getByRole('main').innerText();
    expect(shown).toMatch(/10\.00 EUR at alpha[\s\S]*1000 points were credited/);
    expect(shown).toMatch(/Why[\s\S]*Ledger\n\n?\+1000 points; the balance was/);
    const run = await screen.page.getByRole('link', { name: 'Its run' }).getAttribute('href');
    expect(run).toMatch(/^http:\/\/127\.0\.0\.1:8233\/namespaces\/.*ingest%2Falpha%2F/);
    await expectSound(screen);
  });

  it('is waited for, and asked for again', async () => {
    const response = await fetch(`${developer.url}${salePath('alpha', 'PAY_2')}`);
    expect(response.headers.get('refresh')).toBe('2');
    expect(await response.text()).toContain('Nothing has come of it yet');
  });
});

describe('the pages of the sandbox', inBrowser, () => {
  it.each([
    ['the developer page', () => '/'],
    ['the receiver', () => '/webhooks'],
    ["alpha's till", () => `${alpha.url}/`],
    ["beta's till", () => `${beta.url}/`],
  ])('%s is readable on a phone and on a desktop, in the light and in the dark', async (_, at) => {
    alpha.addMerchant({ name: 'Café' });
    const merchant = beta.addMerchant({ name: 'Café' });
    beta.issueToken(merchant.id);
    beta.ring({ merchantId: merchant.id, amount: 1_250 });
    for (const [size, scheme] of VIEWS) {
      const screen = await opened('/', size, scheme);
      await screen.page.goto(new URL(at(), developer.url).href);
      await expectSound(screen);
    }
  });
});

const VIEWS = [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const;
