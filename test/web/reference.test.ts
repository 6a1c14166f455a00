import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { CLIENT_ID } from '../../sandbox/identity/sign-in.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The library of the reference page is another's: what the page configures has to be what it does.

const shop = await useShop({ settings: { docsClientId: CLIENT_ID } });
const { visit } = useScreens(shop);

describe('the reference page', inBrowser, () => {
  it('is there at once, finds what is looked for, and leads to where it can be tried', async () => {
    const screen = await visit({ app: 'portal', person: 'merchant', scheme: 'dark' });
    const { page } = screen;
    await page.goto(`${shop.app.url}/docs`);
    const entry = page.getByRole('group').filter({ hasText: 'Redeem points for a code' });
    await page.getByLabel('Search').fill('redeem/confirm idempotency-key');
    await expect.poll(() => page.getByRole('status').innerText(), SOON).toBe('1 found');
    await entry.getByText('/redeem/confirm').click();
    await entry.getByText('What to show at the till').waitFor();
    await expectSound(screen);
    const path = new URL((await entry.getByText('Try it').getAttribute('href')) ?? '', page.url());
    await page.goto(`${shop.app.url}/docs#confirmRedemption`);
    await entry.getByText('What to show at the till').waitFor();
    await page.goto(path.href);
    await page.getByRole('heading', { name: 'Redeem points for a code' }).first().waitFor();
  });

  it('lets a reader sign in, and sends requests in their name', async () => {
    const { page, complaints } = await visit({
      app: 'portal',
      person: 'merchant',
      size: 'desktop',
    });
    await page.goto(`${shop.app.url}/docs/try`);
    const [window] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Authorize' }).first().click(),
    ]);
    await window.getByRole('button', { name: `Sign in as ${PEOPLE.merchant.name}` }).click();
    await expect.poll(() => window.isClosed(), SOON).toBe(true);
    await page.getByText('Access Token').first().waitFor();
    await page.getByRole('button', { name: 'Test Request' }).first().click();
    const [answer] = await Promise.all([
      page.waitForResponse(/\/auth\/me$/),
      page.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(await answer.json()).toMatchObject({ email: PEOPLE.merchant.email });
    expect(complaints.filter((one) => one.startsWith('another host'))).toEqual([]);
  });
});
