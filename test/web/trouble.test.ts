import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aRule, aTenant, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, gate, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What people see of a service that does not answer. The till has words of its own for it.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const ada = shop.as('consumer');

const UNKNOWN = 'It is not known whether this was done.';
const slow = (page: Page) => page.getByText('Still trying…').waitFor();
const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel' }).click();

/** Has the answers to what is posted to an address be lost, though it is done, until it is over. */
async function loseAnswers(page: Page, url: string): Promise<() => Promise<void>> {
  const address = new RegExp(url);
  await page.route(address, async (route) => {
    await route.fetch();
    await route.abort();
  });
  return () => page.unroute(address);
}

function event() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
}

/** Has the first answer from an address come as it was, but only when it is let go. */
function lateAnswer(url: string) {
  const [made, opened] = [event(), event()];
  const answer = async (route: Route) => {
    const response = await route.fetch();
    made.happen();
    await opened.happened;
    await route.fulfill({ response });
  };
  return {
    isMade: made.happened,
    before: (context: BrowserContext) => context.route(new RegExp(url), answer, { times: 1 }),
    letGo: async () => {
      opened.happen();
      // Until the page has drawn what it may make of it.
      await sleep(1_000);
    },
  };
}

/** Collects the keys of requests, the first of which is held back. */
async function holdFirst(page: Page, url: string) {
  const { hold, letGo } = gate();
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' || !new RegExp(url).test(request.url())) return;
    keys.push(request.headers()['idempotency-key']);
  });
  await page.route(new RegExp(url), hold, { times: 1 });
  return { keys, letGo };
}

describe('a command that gets no answer', inBrowser, () => {
  it('is said to, can be left in its dialog, and is done once when pressed again', async () => {
    await shop.sell({ email, amount: 500 });
    const screen = await open({ app: 'wallet', person: 'consumer' });
    const { page } = screen;
    const shops = page.getByRole('list', { name: 'Your shops' });
    await shops.getByRole('link', { name: /Corner Café/ }).click();
    const redeem = page.getByRole('button', { name: 'Redeem', exact: true });
    await redeem.click();
    const { keys, letGo } = await holdFirst(page, '/redeem/confirm$');
    const get = page.getByRole('dialog').getByRole('button', { name: 'Get the code' });
    await get.click();
    await slow(page);
    await expectSound(screen);
    await cancel(page);
    await page.getByRole('alert').getByText(UNKNOWN).waitFor();
    await expectSound(screen);
    await get.click();
    await page.waitForURL('**/codes/*');
    letGo();
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('is what is tried again, whatever the balance, also once its dialog was closed', async () => {
    await shop.sell({ email, amount: 2_000 });
    const [wallet] = await ada.listWallets();
    const max = required(wallet).redeemable.max;
    const codes = () => ada.listRedemptions({});
    const before = (await codes()).length;
    const path = `/wallet/wallets/${wallet?.id}`;
    const screen = await open({ app: 'wallet', person: 'consumer', path });
    const { page } = screen;
    await page.getByText('Live', { exact: true }).waitFor();
    const redeem = page.getByRole('button', { name: 'Redeem', exact: true });
    const dialog = page.getByRole('dialog');
    const get = dialog.getByRole('button', { name: 'Get the code' });
    const chosen = expect.poll(() => dialog.innerText(), SOON);
    await redeem.click();
    await dialog.getByRole('button', { name: 'Fewer points' }).click();
    const asked = await dialog.locator('.chosen .tabular').innerText();
    const answered = await loseAnswers(page, '/redeem/confirm$');
    await get.click();
    await dialog.getByRole('alert').waitFor();
    await chosen.toContain(asked);
    expect((await ada.listWallets())[0]?.redeemable.max).toBeLessThan(max);
    await expect.poll(() => page.locator('[inert] .slider').count(), SOON).toBe(1);
    screen.complaints.length = 0;
    await expectSound(screen);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await redeem.click();
    await dialog.getByRole('alert').waitFor();
    await chosen.toContain(asked);
    await answered();
    await get.click();
    await page.waitForURL('**/codes/*');
    expect(await codes()).toHaveLength(before + 1);
  });

  it('stays the same while the service is still at it', async () => {
    await shop.sell({ email, amount: 2_000 });
    const [wallet] = await ada.listWallets();
    const path = `/wallet/wallets/${wallet?.id}?redeem`;
    const { page } = await open({ app: 'wallet', person: 'consumer', path });
    const keys = new Set<string | undefined>();
    let isAtIt = true;
    await page.route(/redeem\/confirm$/, async (route) => {
      keys.add(route.request().headers()['idempotency-key']);
      const json = { code: 'IDEMPOTENCY_REPLAY', message: 'The first one is still running.' };
      await (isAtIt ? route.fulfill({ status: 409, json }) : route.continue());
    });
    const get = page.getByRole('dialog').getByRole('button', { name: 'Get the code' });
    await get.click();
    await page.getByRole('alert').waitFor();
    isAtIt = false;
    await get.click();
    await page.waitForURL('**/codes/*');
    expect(keys.size).toBe(1);
  });

  it('says so beside its button, and can be left there', async () => {
    const screen = await open({ app: 'portal', person: 'merchant', path: '/portal/profile' });
    const { page } = screen;
    const { letGo } = await holdFirst(page, '/onboarding$');
    await page.getByLabel('City').fill('Berlin');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await slow(page);
    await expectSound(screen);
    await cancel(page);
    await page.getByRole('alert').getByText(UNKNOWN).waitFor();
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByText(UNKNOWN).count()).toBe(0);
    letGo();
  });
});

describe('a page that gets no answer', inBrowser, () => {
  it('says so, and asks again when it is told to', async () => {
    const path = '/portal/webhooks';
    const screen = await open({ app: 'portal', person: 'merchant', path, size: 'desktop' });
    const { page } = screen;
    await page.getByText('There are no endpoints').first().waitFor();
    const { hold, letGo } = gate();
    await page.route(/tenants\/[^/]+\/transactions/, hold, { times: 1 });
    await page.getByRole('link', { name: 'Sales', exact: true }).first().click();
    await slow(page);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Sales' }).waitFor();
    expect(await page.getByText('Still trying…').count()).toBe(0);
    letGo();
  });

  it('says so of the next page of a list, which can be left and asked for again', async () => {
    await shop.sell({ email, amount: 300 });
    await shop.sell({ email, amount: 400 });
    const screen = await open({ app: 'portal', person: 'merchant', path: '/portal/webhooks' });
    const { page } = screen;
    await page.getByText('There are no endpoints').first().waitFor();
    const { hold, letGo } = gate();
    // One at a time, so that there is a next page.
    await page.route(/tenants\/[^/]+\/transactions/, (route) =>
      route.continue({ url: withLimit(route.request().url()) }),
    );
    await page.route(/transactions\?.*cursor=/, hold, { times: 1 });
    await page.evaluate(`history.pushState(null, '', '/portal/transactions')`);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await slow(page);
    await expectSound(screen);
    await cancel(page);
    await page.getByText('Still trying…').waitFor({ state: 'detached' });
    await page.getByText('€4.00').waitFor();
    await more.click();
    await page.getByText('€3.00').waitFor();
    letGo();
  });
});

describe('an answer that comes late', inBrowser, () => {
  it('does not show a code as open that was used meanwhile', async () => {
    await shop.sell({ email, amount: 500 });
    const [wallet] = await ada.listWallets();
    const { redemptionId, redemptionCode: code } = await ada.confirmRedemption({
      walletId: required(wallet).id,
      body: { pointsToRedeem: 100 },
    });
    const late = lateAnswer(`/redemptions/${redemptionId}$`);
    const path = `/wallet/codes/${redemptionId}`;
    const { page } = await open({ app: 'wallet', person: 'consumer', path, before: late.before });
    await page.getByText('Live', { exact: true }).waitFor();
    await late.isMade;
    await shop.as('operator').completeRedemption({ body: { code } });
    const used = page.getByText(/^Used /);
    await used.waitFor();
    await late.letGo();
    expect(await used.count()).toBe(1);
    expect(await page.getByRole('timer').count()).toBe(0);
  });

  it.each([
    { list: 'no list is known', isKnown: false },
    { list: 'one is known', isKnown: true },
  ])('does not show points as of before a purchase, where $list', async ({ isKnown }) => {
    const late = lateAnswer('/consumer/wallets$');
    const before = isKnown ? {} : { before: late.before };
    const { page } = await open({ app: 'wallet', person: 'consumer', ...before });
    const shops = page.getByRole('list', { name: 'Your shops' });
    if (isKnown) {
      await shops.getByText('Corner Café').waitFor();
      await late.before(page.context());
      await page.reload();
    }
    await page.getByText('Live', { exact: true }).waitFor();
    await late.isMade;
    await shop.sell({ email, amount: 500, createdAt: new Date() });
    const [wallet] = await ada.listWallets();
    const points = `${new Intl.NumberFormat('en').format(required(wallet).balance)} points`;
    await expect.poll(() => shops.innerText(), SOON).toContain(points);
    await late.letGo();
    expect(await shops.innerText()).toContain(points);
  });
});

describe('a list that could not be read', inBrowser, () => {
  it('is read when something changes, instead of shown as what has changed', async () => {
    const second = await aTenant(shop.db, { name: 'Bakery' });
    await aRule(shop.db, second);
    await ada.joinShop({ body: { tenantId: second } });
    const url = '**/consumer/wallets';
    const before = (context: BrowserContext) => context.route(url, (route) => route.abort());
    const { page, asked } = await open({ app: 'wallet', person: 'consumer', before });
    const shops = page.getByRole('list', { name: 'Your shops' });
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('alert').waitFor();
    const buy = () => shop.sell({ email, amount: 500, createdAt: new Date() });
    const reads = () => asked.filter((one) => one === 'GET /consumer/wallets').length;
    const then = reads();
    await buy();
    await expect.poll(reads, SOON).toBeGreaterThan(then);
    await page.getByRole('alert').waitFor();
    expect(await shops.count()).toBe(0);
    await page.context().unroute(url);
    await buy();
    await expect.poll(() => shops.innerText(), SOON).toContain('Corner Café');
    expect(await shops.innerText()).toContain('Bakery');
  });
});

function withLimit(url: string): string {
  const limited = new URL(url);
  limited.searchParams.set('limit', '1');
  return String(limited);
}
