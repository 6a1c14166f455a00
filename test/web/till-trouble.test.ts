import { describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { gate, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { aCode, seen, takeButton, type } from './till-codes.ts';

// What the till does when codes come faster than answers, and when no answer comes.

const shop = await useShop();
const { open } = useScreens(shop);
const atTill = { app: 'till', person: 'operator' } as const;

describe('two codes quickly after each other', inBrowser, () => {
  it('show the second one, also when the first answer is late', async () => {
    const [first, second] = [await aCode(shop, 100), await aCode(shop, 200)];
    const { page } = await open(atTill);
    const { hold, letGo } = gate();
    await page.route('**/lookup', hold, { times: 1 });
    await type(page, `${first}\n${second}\n`);
    await takeButton(page, '€2.00');
    letGo();
    await page.keyboard.press('Enter');
    await seen(page).toContain('Take €2.00 off the price.');
    await seen(page).not.toContain('€1.00');
  });

  it('take the first to the end before the second is looked up', async () => {
    const [first, second] = [await aCode(shop, 110), await aCode(shop, 210)];
    const { page } = await open(atTill);
    const { hold, letGo } = gate();
    await page.route('**/complete', hold, { times: 1 });
    await type(page, first);
    await (await takeButton(page, '€1.10')).click();
    await type(page, second);
    await seen(page).toContain('Next: ');
    letGo();
    await takeButton(page, '€2.10');
    await seen(page).toMatch(/Last taken\s[\s\S]*€1\.10/);
  });
});

describe('a double Enter', inBrowser, () => {
  it('takes a code by one request', async () => {
    const screen = await open(atTill);
    const { page } = screen;
    await type(page, await aCode(shop, 120));
    await takeButton(page, '€1.20');
    await page.keyboard.type('\n\n');
    await seen(page).toContain('Take €1.20 off the price.');
    expect(screen.asked.filter((one) => one.endsWith('/complete'))).toHaveLength(1);
  });
});

describe('without a connection', inBrowser, () => {
  it('says so, looks nothing up, and goes on with it', async () => {
    const code = await aCode(shop, 130);
    const { page } = await open(atTill);
    await seen(page).toContain('Last taken');
    await page.context().setOffline(true);
    await seen(page).toContain('No connection. No code can be taken');
    await type(page, code);
    await seen(page).toContain('The code was not looked up.');
    await page.context().setOffline(false);
    await seen(page).not.toContain('No connection.');
    await page.keyboard.press('Enter');
    await takeButton(page, '€1.30');
  });

  it('says that no one knows if a code was taken, and takes it once all the same', async () => {
    const code = await aCode(shop, 140);
    const { page } = await open(atTill);
    const keys: (string | undefined)[] = [];
    // The service takes it, and every answer is lost.
    await page.route('**/complete', async (route) => {
      keys.push(await route.request().headerValue('idempotency-key').then(String));
      await route.fetch();
      await route.abort();
    });
    await type(page, code);
    await (await takeButton(page, '€1.40')).click();
    await seen(page).toContain('It is not known yet whether the code was taken.');
    await page.unroute('**/complete');
    const again = page.waitForRequest('**/complete');
    await page.getByRole('button', { name: 'Try again' }).click();
    keys.push(await (await again).headerValue('idempotency-key').then(String));
    await seen(page).toContain('Take €1.40 off the price.');
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });
});

describe('a service that hangs', inBrowser, () => {
  it.each(['lookup', 'complete'])('is said to, in %s, and can be left', async (step) => {
    const points = step === 'lookup' ? 150 : 160;
    const code = await aCode(shop, points);
    const { page } = await open(atTill);
    const { hold, letGo } = gate();
    await page.route(`**/${step}`, hold, { times: 1 });
    await type(page, code);
    const amount = `€1.${points - 100}`;
    if (step === 'complete') await (await takeButton(page, amount)).click();
    await seen(page).toContain('Still trying…');
    await page.getByRole('button', { name: 'Cancel' }).click();
    if (step === 'complete') {
      await seen(page).toContain('It is not known yet whether the code was taken.');
      await page.keyboard.press('Enter');
      await seen(page).toContain(`Take ${amount} off the price.`);
    } else {
      await expect.poll(() => page.getByText('Still trying…').count(), SOON).toBe(0);
      await type(page, code);
      await takeButton(page, amount);
    }
    letGo();
  });
});
