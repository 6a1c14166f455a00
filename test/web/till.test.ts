import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expiresIn } from '../support/points/redemptions.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import {
  aCode,
  countActs,
  fieldOf,
  isFocused,
  openSettings,
  pictureOf,
  seen,
  takeButton,
  type,
} from './till-codes.ts';

// What staff do at the till, clicked through in Chromium, with a camera that sees a film.

const folder = mkdtempSync(join(tmpdir(), 'loyalty-till-'));
const film = join(folder, 'film.mjpeg');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shop = await useShop();
const { open } = useScreens(shop, () => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]);
const atTill = { app: 'till', person: 'operator' } as const;
const ada = shop.as('consumer');
beforeAll(async () => writeFileSync(film, await pictureOf(await aCode(shop, 1_500))));

describe.each(['phone', 'desktop'] as const)('the till on a %s', inBrowser, (size) => {
  it('takes a code that is typed with one Enter, and says so when it comes again', async () => {
    const code = await aCode(shop, 1_500);
    const screen = await open({ ...atTill, size });
    const { page } = screen;
    await isFocused(page);
    await expectSound(screen);
    const acts = await countActs(page);
    await type(page, code.toLowerCase());
    await takeButton(page, '€15.00');
    await seen(page).toMatch(/€15\.00[\s\S]*Customer: AB[\s\S]*Can be taken until/);
    await expectSound(screen);
    await page.keyboard.press('Enter');
    await seen(page).toContain('Take €15.00 off the price.');
    expect(await acts()).toEqual({ keys: 12 + 1, presses: 0 });
    await expectSound(screen);
    await seen(page).toMatch(/Last taken[\s\S]*€15\.00[\s\S]*Customer AB · taken by George Boole/);

    await type(page, code);
    await seen(page).toMatch(/This code was used .*, by George Boole\./);
    expect(await page.getByRole('button', { name: /^Take / }).count()).toBe(0);
    await expectSound(screen);

    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await seen(page).toMatch(/€\d+\.00 off with \d+ codes?/);
    await expectSound(screen);
  });
});

describe('one press takes a code that', inBrowser, () => {
  it('the camera sees, which stays on, and sees it once', async () => {
    const screen = await open(atTill);
    const { page } = screen;
    await page.getByRole('button', { name: 'Turn on the camera' }).click();
    await takeButton(page, '€15.00');
    await page.reload();
    const button = await takeButton(page, '€15.00');
    await expectSound(screen);
    const acts = await countActs(page);
    await button.click();
    await seen(page).toContain('Take €15.00 off the price.');
    expect(await acts()).toEqual({ keys: 0, presses: 1 });
    // It is still in front of the camera, and is not asked for again.
    await seen(page).toContain('Hold the code in front of the camera.');
    await seen(page).not.toContain('off the price');
    expect(screen.asked.filter((one) => one.endsWith('/lookup'))).toHaveLength(2);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on the camera' }).waitFor();
  });

  it('a hand scanner types, whose own Enter takes nothing unseen', async () => {
    const code = await aCode(shop, 250);
    const screen = await open(atTill);
    const { page } = screen;
    await isFocused(page);
    const acts = await countActs(page);
    await type(page, code);
    await page.keyboard.press('Enter');
    await takeButton(page, '€2.50');
    await page.keyboard.press('Enter');
    await seen(page).toContain('Take €2.50 off the price.');
    expect(await acts()).toEqual({ keys: 13 + 1, presses: 0 });
    expect(screen.asked.filter((one) => one.endsWith('/complete'))).toHaveLength(1);
  });

  it('is pasted with words around it', async () => {
    const code = await aCode(shop, 260);
    const { page } = await open(atTill);
    await fieldOf(page).fill(`Your code: ${code.replace(/(.{4})/g, '$1 ')}.`);
    await (await takeButton(page, '€2.60')).click();
    await seen(page).toContain('Take €2.60 off the price.');
    expect(await fieldOf(page).inputValue()).toBe('');
  });
});

describe('the field', inBrowser, () => {
  it('has the focus again after a result, a dialog, and a change of pages', async () => {
    const [first, second] = [await aCode(shop, 100), await aCode(shop, 200)];
    const { page } = await open(atTill);
    await type(page, first);
    await (await takeButton(page, '€1.00')).click();
    await seen(page).toContain('Take €1.00 off the price.');
    await isFocused(page);
    await openSettings(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await isFocused(page);
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await type(page, second);
    // The scan leads back to where the amount is said.
    await takeButton(page, '€2.00');
    await page.keyboard.press('Escape');
    await seen(page).not.toContain('€2.00\noff');
  });

  it('brings no keyboard onto the screen, but for who taps it', async () => {
    const { page } = await open(atTill);
    await isFocused(page);
    expect(await fieldOf(page).getAttribute('inputmode')).toBe('none');
    await fieldOf(page).tap();
    expect(await fieldOf(page).getAttribute('inputmode')).toBe('text');
    await type(page, await aCode(shop, 110));
    await takeButton(page, '€1.10');
    expect(await fieldOf(page).getAttribute('inputmode')).toBe('none');
  });
});

describe('what is heard and felt', inBrowser, () => {
  const Heard = z.array(z.number());
  // The tones sound as ever: this notes each that does.
  const listening = (context: BrowserContext) =>
    context.addInitScript(`{
      globalThis.heard = [];
      const { start } = OscillatorNode.prototype;
      OscillatorNode.prototype.start = function (when) {
        heard.push(this.frequency.value);
        return start.call(this, when);
      };
    }`);

  it('differs by what happened, and is silent once it is muted', async () => {
    const code = await aCode(shop, 120);
    const screen = await open({ ...atTill, before: listening });
    const { page } = screen;
    const heard = async () => Heard.parse(await page.evaluate('globalThis.heard')).map(Math.round);
    await type(page, code);
    await takeButton(page, '€1.20');
    expect(await heard()).toEqual([880]);
    await page.keyboard.press('Enter');
    await expect.poll(heard, SOON).toEqual([880, 880, 1_319]);
    await type(page, code);
    await expect.poll(heard, SOON).toEqual([880, 880, 1_319, 196, 156]);
    await openSettings(page);
    await page.getByLabel('Sound for each code').uncheck();
    await page.reload();
    await type(page, code);
    await seen(page).toContain('This code was used');
    expect(await heard()).toEqual([]);
    await expectSound(screen);
  });
});

describe('a code', inBrowser, () => {
  const closed: Record<string, { code(): Promise<string>; said: RegExp | string }> = {
    'is unknown': { code: async () => 'ABCDEF012345', said: 'There is no such code in this shop.' },
    'was cancelled': {
      code: async () => {
        const code = await aCode(shop, 140);
        const [redemption] = await ada.listRedemptions({ status: 'issued' });
        await ada.cancelRedemption({ redemptionId: required(redemption).id });
        return code;
      },
      said: 'This code was cancelled.',
    },
    'has expired': {
      code: async () => {
        const code = await aCode(shop, 150);
        const { id } = await shop.db('redemptions').orderBy('createdAt', 'desc').first('id');
        await expiresIn(shop.db, [id], -1);
        return code;
      },
      said: 'This code has expired.',
    },
    'is of a wallet that was frozen': {
      code: async () => {
        const code = await aCode(shop, 160);
        const [wallet] = await ada.listWallets();
        const held = { walletId: required(wallet).id, body: { reason: 'A stolen phone.' } };
        await shop.as('admin').freezeWallet(held);
        await shop.as('admin').unfreezeWallet(held);
        return code;
      },
      said: 'This code was cancelled.',
    },
  };

  it.each(Object.keys(closed))('that %s is said to be, as big as can be', async (name) => {
    const { code, said } = required(closed[name]);
    const screen = await open({ ...atTill, scheme: 'dark' });
    await type(screen.page, await code());
    await seen(screen.page).toContain(said);
    // The browser itself complains of a 404.
    screen.complaints.length = 0;
    await expectSound(screen);
    expect(await screen.page.getByRole('button', { name: /^Take / }).count()).toBe(0);
  });

  it('that is too short is said to be', async () => {
    const { page } = await open(atTill);
    await type(page, 'ABC');
    await page.keyboard.press('Enter');
    await seen(page).toContain('A code has twelve characters');
  });

  it('that nobody knows comes back to be corrected, or scanned over', async () => {
    const { page } = await open(atTill);
    await type(page, 'ABCDEF012345');
    await seen(page).toContain('There is no such code');
    await expect.poll(() => fieldOf(page).inputValue(), SOON).toBe('ABCD EF01 2345');
    await type(page, await aCode(shop, 170));
    await takeButton(page, '€1.70');
  });

  it('of one’s own is not taken', async () => {
    const code = await aCode(shop, 180, 'operator');
    const { page } = await open(atTill);
    await type(page, code);
    await (await takeButton(page, '€1.80')).click();
    await seen(page).toContain('This code is your own.');
  });

  it('that another till takes at the same moment is taken once', async () => {
    const code = await aCode(shop, 200);
    const { page } = await open(atTill);
    await type(page, code);
    const button = await takeButton(page, '€2.00');
    await shop.as('operator').completeRedemption({ body: { code } });
    await button.click();
    await seen(page).toMatch(/This code was used .*, by George Boole\./);
  });

  it('that was taken before midnight is none of today after it', async () => {
    const code = await aCode(shop, 400);
    // By the shop's clocks, wherever the till is.
    await shop.db('tenants').where({ id: shop.tenantId }).update({ timeZone: 'UTC' });
    const time = new Date();
    time.setUTCHours(23, 59, 30, 0);
    const before = (context: BrowserContext) => context.clock.install({ time });
    const timeZone = 'Asia/Tokyo';
    const { page } = await open({ ...atTill, path: '/till/today', timeZone, before });
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toContain('€4.00');
    await page.clock.fastForward('01:00');
    await seen(page).not.toContain('€4.00');
  });

  it('that another till takes is among the last ones at once', async () => {
    const code = await aCode(shop, 321);
    const { page } = await open(atTill);
    await seen(page).toContain('Last taken');
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toContain('€3.21');
  });
});

describe('a suspended shop', inBrowser, () => {
  it('is said to be one at once, and its codes are not taken', async () => {
    const code = await aCode(shop, 100);
    const { tenantId } = shop;
    const screen = await open(atTill);
    const { page } = screen;
    await type(page, code);
    const button = await takeButton(page, '€1.00');
    await shop.as('admin').suspendTenant({ tenantId, body: {} });
    await page.getByText('No code can be taken').waitFor();
    await button.click();
    await seen(page).toContain('This shop is suspended. Points stay as they are');
    // The browser itself complains of what is refused.
    screen.complaints.length = 0;
    await expectSound(screen);
    await shop.as('admin').reinstateTenant({ tenantId, body: {} });
    await type(page, code);
    await (await takeButton(page, '€1.00')).click();
    await seen(page).toContain('Take €1.00 off the price.');
  });
});
