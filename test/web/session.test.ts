import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { inBrowser } from '../support/http/browser.ts';
import { refusing } from './refusing.ts';
import { expectSound, isIn, SOON, signIn, signOut, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// Who may use an app, and for how long: the same in all four.

const shop = await useShop();
const { open, visit } = useScreens(shop);

/** What the browser keeps for the wallet. */
const keptBy = (page: Page) =>
  page.evaluate(
    `Object.keys(localStorage).filter((key) => key.startsWith('loyalty.wallet.')).join()`,
  );
/** A wallet that remembers what it shows. */
async function aRememberingWallet() {
  await shop.sell({ email: PEOPLE.consumer.email, amount: 100 });
  const before = (context: BrowserContext) => context.clock.install();
  const screen = await open({ app: 'wallet', person: 'consumer', before });
  await expect.poll(() => keptBy(screen.page), SOON).toContain('loyalty.wallet.state.');
  return screen;
}

describe('a sign-in', inBrowser, () => {
  it('is asked for, leads back to the page that was opened, and outlives a reload', async () => {
    const path = '/portal/rules?from=mail#top';
    const screen = await visit({ app: 'portal', person: 'merchant', path, size: 'desktop' });
    await expectSound(screen);
    await signIn(screen.page, 'merchant');
    await expect.poll(() => isIn(screen.page), SOON).toBe(true);
    expect(new URL(screen.page.url()).pathname).toBe('/portal/rules');
    expect(new URL(screen.page.url()).hash).toBe('#top');

    await screen.page.reload();
    await expect.poll(() => isIn(screen.page), SOON).toBe(true);
    expect(new URL(screen.page.url()).pathname).toBe('/portal/rules');
    expect(screen.complaints).toEqual([]);
  });

  it('leaves no token in what the browser keeps, nor in an address', async () => {
    const addresses: string[] = [];
    const screen = await visit({ app: 'wallet', person: 'consumer' });
    screen.page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await signIn(screen.page, 'consumer');
    await expect.poll(() => isIn(screen.page), SOON).toBe(true);
    const kept = await screen.page.evaluate(
      '[...Object.entries(localStorage), ...Object.entries(sessionStorage)].join()',
    );
    expect(kept).toContain(PEOPLE.consumer.sub);
    expect(`${kept}${addresses}`).not.toMatch(/eyJ[\w-]{10,}|access_token|refresh_token/);
    expect(new URL(screen.page.url()).search).toBe('');
  });

  it('is for those for whom the app is; others are told, and can sign in anew', async () => {
    const screen = await open({ app: 'office', person: 'consumer' });
    const main = screen.page.getByRole('main');
    await expect.poll(() => main.textContent(), SOON).toContain('You are signed in as a customer');
    await expectSound(screen);
    await screen.page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await screen.page.getByRole('button', { name: `Sign in as ${PEOPLE.admin.name}` }).click();
    await expect.poll(() => isIn(screen.page), SOON).toBe(true);
    await expect.poll(() => main.textContent(), SOON).not.toContain('somebody else');
  });

  it('is not handed over to whoever signs in at another app meanwhile', async () => {
    const screen = await aRememberingWallet();
    const other = await screen.page.context().newPage();
    await other.goto(`${shop.url}/till/`);
    await signIn(other, 'operator');
    await expect.poll(() => isIn(other), SOON).toBe(true);

    await screen.page.reload();
    const main = screen.page.getByRole('main');
    await expect.poll(() => main.textContent(), SOON).toContain('Your sign-in has ended');
    expect(await keptBy(screen.page)).toBe('');
    expect(screen.complaints).toEqual([]);
  });

  it('says so when the identity provider is away, and works once it is back', async () => {
    const screen = await visit({ app: 'wallet', person: 'consumer' });
    const { page } = screen;
    await page.route(`${shop.issuer}/**`, (route) => route.abort());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('The sign-in cannot be reached').waitFor();
    // The browser itself complains of what it could not reach.
    screen.complaints.length = 0;
    await expectSound(screen);
    await page.unroute(`${shop.issuer}/**`);
    await signIn(page, 'consumer');
    await expect.poll(() => isIn(page), SOON).toBe(true);
  });

  it('says so where a page is opened anew while the identity provider is away', async () => {
    const screen = await visit({ app: 'till', person: 'operator' });
    const { page } = screen;
    await signIn(page, 'operator');
    await expect.poll(() => isIn(page), SOON).toBe(true);
    await page.route(`${shop.issuer}/**`, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The sign-in cannot be reached').waitFor();
    screen.complaints.length = 0;
    await expectSound(screen);
    await page.unroute(`${shop.issuer}/**`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => isIn(page), SOON).toBe(true);
  });

  it('is asked for again by itself, and has not ended while it cannot be reached', async () => {
    const before = (context: BrowserContext) => context.clock.install();
    const { page } = await open({ app: 'till', person: 'operator', before });
    await expect.poll(() => isIn(page), SOON).toBe(true);
    let asked = 0;
    await page.route(`${shop.issuer}/**`, (route) => {
      asked += 1;
      return route.abort();
    });
    await page.reload();
    const main = () => page.getByRole('main').innerText();
    await expect.poll(main, SOON).toContain('The sign-in cannot be reached');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await expect.poll(() => asked, SOON).toBe(2);
    await page.clock.fastForward('00:30');
    await expect.poll(() => asked, SOON).toBe(3);
    expect(await main()).toContain('The sign-in cannot be reached');
    await page.unroute(`${shop.issuer}/**`);
    await page.clock.fastForward('00:30');
    await expect.poll(() => isIn(page), SOON).toBe(true);
  });

  it('waits for a connection where an app is opened without one', async () => {
    let isAway = true;
    const before = (context: BrowserContext) =>
      context.route('**/config.json', (route) => (isAway ? route.abort() : route.fallback()));
    const screen = await visit({ app: 'till', person: 'operator', before });
    const { page } = screen;
    await page.getByText('There is no connection.').waitFor();
    screen.complaints.length = 0;
    await expectSound(screen);
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('goes on with a new token when the service refuses the last one', async () => {
    const screen = await visit({ app: 'wallet', person: 'consumer' });
    const { page } = screen;
    const grants = await refusing(shop, page, 'the first token');
    await signIn(page, 'consumer');
    await expect.poll(() => isIn(page), SOON).toBe(true);
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('asks for one new token when several calls find that it has run out', async () => {
    const { page } = await aRememberingWallet();
    await page.getByRole('link', { name: 'Codes', exact: true }).last().click();
    const grants: string[] = [];
    await page.route(`${shop.issuer}/token`, (route) => {
      grants.push(new URLSearchParams(route.request().postData() ?? '').get('grant_type') ?? '');
      return route.fallback();
    });
    await page.clock.fastForward('03:00:00');
    await page.getByRole('link', { name: 'Points', exact: true }).last().click();
    const wallets = page.waitForResponse(`${shop.app.url}/api/v1/consumer/wallets`);
    await expect.poll(async () => (await wallets).status(), SOON).toBe(200);
    expect(await isIn(page)).toBe(true);
    expect(grants).toEqual(['refresh_token']);
  });

  it('ends when it cannot be renewed', async () => {
    const { page } = await visit({ app: 'wallet', person: 'consumer' });
    const grants = await refusing(shop, page, 'every token');
    await signIn(page, 'consumer');
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await expect.poll(() => button.isVisible(), SOON).toBe(true);
    expect(await page.getByRole('main').textContent()).toContain('Your sign-in has ended');
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
    expect(await keptBy(page)).toBe('');
  });

  it('that ends while the wallet is open leaves nothing of it, also a moment later', async () => {
    const { page } = await aRememberingWallet();
    await refusing(shop, page, 'every token');
    await page.getByRole('link', { name: 'Codes', exact: true }).last().click();
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await expect.poll(() => button.isVisible(), SOON).toBe(true);
    expect(await keptBy(page)).toBe('');
    // What is to be remembered is written after a second.
    await page.clock.runFor(2_000);
    expect(await keptBy(page)).toBe('');
  });

  it('goes on when the identity provider cannot be asked for a moment', async () => {
    const { page } = await aRememberingWallet();
    await refusing(shop, page, 'the first token');
    let isAway = true;
    await page.route(`${shop.issuer}/token`, (route) =>
      isAway ? route.abort() : route.fallback(),
    );
    await page.getByRole('link', { name: 'Codes', exact: true }).last().click();
    const main = page.getByRole('main');
    await expect.poll(() => main.innerText(), SOON).toContain('The service cannot be reached.');
    expect(await keptBy(page)).not.toBe('');
    isAway = false;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect.poll(() => main.innerText(), SOON).not.toContain('cannot be reached');
    expect(await isIn(page)).toBe(true);
  });

  it('ends in all tabs of the app', async () => {
    const { page } = await aRememberingWallet();
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/wallet/`);
    await expect.poll(() => isIn(other), SOON).toBe(true);
    await signOut(other);
    const button = page.getByRole('button', { name: 'Sign in', exact: true });
    await expect.poll(() => button.isVisible(), SOON).toBe(true);
    expect(await keptBy(page)).toBe('');
  });

  it('ends at the identity provider as well', async () => {
    const screen = await open({ app: 'wallet', person: 'consumer' });
    await signOut(screen.page);
    await screen.page.getByRole('button', { name: 'Sign out' }).click();
    const button = screen.page.getByRole('button', { name: 'Sign in', exact: true });
    await expect.poll(() => button.isVisible(), SOON).toBe(true);
    await screen.page.reload();
    await expect.poll(() => button.isVisible(), SOON).toBe(true);
    const kept = await screen.page.evaluate('Object.keys(localStorage).join()');
    expect(kept).toBe('');
  });
});
