import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { aCode, isFocused, openSettings, seen, takeButton, type } from './till-codes.ts';

// The lock of a till: what keeps others from a device that its person has left for a moment.

const shop = await useShop();
const { open } = useScreens(shop);
const atTill = { app: 'till', person: 'operator' } as const;
const PIN = '2580';

async function setPin(page: Page, pin = PIN): Promise<void> {
  await openSettings(page);
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  await page.getByLabel('New PIN').fill(pin);
  await page.getByLabel('The same again').fill(pin);
  await page.getByLabel('Lock after').selectOption('2 minutes');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

const lock = (page: Page) => page.getByRole('button', { name: 'Lock the till' }).click();
const isLocked = (page: Page) => seen(page).toContain('The till is locked');
const stored = (page: Page): Promise<unknown> =>
  page.evaluate('JSON.stringify(Object.entries(localStorage))');

/** Signs out at the identity provider as well, and waits for the app's own first page. */
async function signedOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(SOON);
}

describe('a till with a PIN', inBrowser, () => {
  it('locks by a button, stays locked, and opens by the PIN', async () => {
    const code = await aCode(shop, 100);
    const screen = await open(atTill);
    const { page } = screen;
    await setPin(page);
    await isFocused(page);
    await lock(page);
    await isLocked(page);
    await expectSound(screen);
    await page.reload();
    await isLocked(page);
    await page.goto(`${shop.url}/invites`);
    await isLocked(page);
    await page.goto(`${shop.url}/till/today`);
    await isLocked(page);
    await page.keyboard.type('2581');
    await seen(page).toContain('That is not the PIN. 4 tries are left.');
    for (const digit of PIN) await page.getByRole('button', { name: digit, exact: true }).click();
    await type(page, code);
    await takeButton(page, '€1.00');
  });

  it('keeps no PIN that could be read, and its own digits after a change', async () => {
    const { page } = await open(atTill);
    await setPin(page);
    const first = String(await stored(page));
    expect(first).toContain('loyalty.till.pin.');
    expect(first).not.toContain(PIN);
    await openSettings(page);
    await page.getByRole('button', { name: 'Change the PIN' }).click();
    await page.getByLabel('New PIN').fill(PIN);
    await page.getByLabel('The same again').fill('2589');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The two are not the same.').waitFor();
    await page.getByLabel('The same again').fill(PIN);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    // The same digits with another salt.
    expect(await stored(page)).not.toBe(first);
    await openSettings(page);
    await page.getByRole('button', { name: 'Remove the PIN' }).click();
    expect(await stored(page)).not.toContain('loyalty.till.pin.');
    expect(await page.getByRole('button', { name: 'Lock the till' }).count()).toBe(0);
  });

  it('locks itself once nobody has touched it for so long, and not before', async () => {
    const before = (context: BrowserContext) => context.clock.install();
    const { page } = await open({ ...atTill, before });
    await setPin(page);
    await isFocused(page);
    await page.clock.runFor(90_000);
    await page.keyboard.press('A');
    await page.clock.runFor(90_000);
    await seen(page).toContain('Last taken');
    await page.clock.runFor(40_000);
    await isLocked(page);
  });

  it('signs out after five wrong ones, counted over reloads, and forgets the PIN', async () => {
    const { page } = await open(atTill);
    await setPin(page);
    await lock(page);
    for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
      await isLocked(page);
      await page.keyboard.type('0000');
      await seen(page).toContain(`That is not the PIN. ${left} left.`);
      await page.reload();
    }
    await isLocked(page);
    await page.keyboard.type('1111');
    await signedOut(page);
    expect(await stored(page)).not.toContain('loyalty.till');
  });

  it('takes a code that is scanned meanwhile for no PIN', async () => {
    const { page } = await open(atTill);
    await setPin(page);
    await lock(page);
    await isLocked(page);
    await page.keyboard.type('9860D0818844', { delay: 10 });
    await seen(page).toContain('Unlock the till first.');
    await page.keyboard.type('123456781234', { delay: 10 });
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.keyboard.type(PIN);
    await seen(page).toContain('Last taken');
  });

  it('has none any more after signing out there', async () => {
    const { page } = await open(atTill);
    await setPin(page);
    await lock(page);
    await page.getByRole('button', { name: 'Forgotten? Sign out' }).click();
    await signedOut(page);
    expect(await stored(page)).not.toContain('loyalty.till');
  });
});
