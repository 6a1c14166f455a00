import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'lean-qr';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { aTenant, required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { anInvite } from '../support/people/invites.ts';
import { expectSound, SOON, signIn, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What an operator does at the till, clicked through in Chromium, with a camera that sees a film.

const folder = mkdtempSync(join(tmpdir(), 'loyalty-till-'));
const film = join(folder, 'film.mjpeg');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shop = await useShop();
const { open, visit } = useScreens(shop, () => [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]);
const { email } = PEOPLE.consumer;
const ada = shop.as('consumer');
let codeOnFilm: string;
beforeAll(async () => {
  codeOnFilm = await aCode(1_500);
  writeFileSync(film, await pictureOf(codeOnFilm));
});

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

/** A code of Ada's, for as many cents as points. */
async function aCode(points: number): Promise<string> {
  await shop.sell({ email, amount: points });
  const [wallet] = await ada.listWallets();
  const body = { pointsToRedeem: points };
  const { redemptionCode } = await ada.confirmRedemption({ walletId: required(wallet).id, body });
  return redemptionCode;
}

/** A photograph of the QR code: what the file of a camera holds, a JPEG per picture. */
async function pictureOf(text: string): Promise<Buffer> {
  const code = generate(text);
  const [pixels, margin] = [12, 6];
  const side = (code.size + 2 * margin) * pixels;
  const raw = Buffer.alloc(side * side, 255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = [x, y].map((value) => Math.floor(value / pixels) - margin);
      if (code.get(at[0] ?? 0, at[1] ?? 0)) raw[y * side + x] = 0;
    }
  }
  return sharp(raw, { raw: { width: side, height: side, channels: 1 } })
    .resize(640, 480, { fit: 'contain', background: '#fff' })
    .toColourspace('srgb')
    .jpeg({ quality: 95 })
    .toBuffer();
}

async function type(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.keyboard.press('Enter');
}

describe.each(['phone', 'desktop'] as const)('the till on a %s', inBrowser, (size) => {
  it('takes a code that is typed, and says so when it comes again', async () => {
    const code = await aCode(1_500);
    const screen = await open({ app: 'till', person: 'operator', size });
    const { page } = screen;
    await seen(page).toContain('Take a code');
    await expectSound(screen);
    await type(page, code.toLowerCase().replace(/(.{4})/g, '$1 '));
    await seen(page).toMatch(/Corner Café[\s\S]*€15\.00[\s\S]*Customer: /);
    await expectSound(screen);
    await page.getByRole('button', { name: 'Take €15.00 off' }).click();
    await seen(page).toContain('Take €15.00 off the price.');
    await expectSound(screen);

    await page.getByRole('button', { name: 'Next code' }).click();
    await type(page, code);
    await seen(page).toMatch(/This code was used .*, by .*@example\.com\./);
    expect(await page.getByRole('button', { name: /^Take / }).count()).toBe(0);
    await expectSound(screen);

    await page.getByRole('link', { name: 'Today' }).click();
    await seen(page).toMatch(/€\d+\.00 off with \d+ codes?/);
    await expectSound(screen);
  });
});

describe('a code', inBrowser, () => {
  it('is scanned with the camera', async () => {
    const screen = await open({ app: 'till', person: 'operator' });
    await screen.page.getByRole('button', { name: 'Scan with the camera' }).click();
    await seen(screen.page).toMatch(/€15\.00[\s\S]*Can be taken until/);
    await expectSound(screen);
    await screen.page.getByRole('button', { name: 'Take €15.00 off' }).click();
    await seen(screen.page).toContain('Take €15.00 off the price.');
  });

  it.each([
    ['is too short', 'ABC', 'A code has twelve characters.'],
    ['is unknown', 'ABCDEF012345', 'There is no such code in this shop.'],
  ])('that %s is said to be', async (_, code, said) => {
    const screen = await open({ app: 'till', person: 'operator' });
    await type(screen.page, code);
    await seen(screen.page).toContain(said);
    // The browser itself complains of a 404.
    screen.complaints.length = 0;
    await expectSound(screen);
  });

  it('that was cancelled is not taken', async () => {
    const code = await aCode(100);
    const [redemption] = await ada.listRedemptions({ status: 'issued' });
    await ada.cancelRedemption({ redemptionId: required(redemption).id });
    const screen = await open({ app: 'till', person: 'operator', scheme: 'dark' });
    await type(screen.page, code);
    await seen(screen.page).toContain('This code was cancelled.');
    await expectSound(screen);
  });

  it('that another till takes at the same moment is taken once', async () => {
    const code = await aCode(200);
    const screen = await open({ app: 'till', person: 'operator' });
    await type(screen.page, code);
    const button = screen.page.getByRole('button', { name: 'Take €2.00 off' });
    await button.waitFor();
    await shop.as('operator').completeRedemption({ body: { code } });
    await button.click();
    await seen(screen.page).toContain('This code was used');
  });

  it('that was taken before midnight is none of today after it', async () => {
    const code = await aCode(400);
    const time = new Date();
    time.setUTCHours(23, 59, 30, 0);
    const before = (context: BrowserContext) => context.clock.install({ time });
    const path = '/till/today';
    const timeZone = 'UTC';
    const { page } = await open({ app: 'till', person: 'operator', path, timeZone, before });
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toContain('€4.00');
    await page.clock.fastForward('01:00');
    await seen(page).not.toContain('€4.00');
  });

  it('that another till takes appears in the list of today at once', async () => {
    const code = await aCode(321);
    const { page } = await open({ app: 'till', person: 'operator', path: '/till/today' });
    await seen(page).toContain('Today');
    await shop.as('operator').completeRedemption({ body: { code } });
    await seen(page).toContain('€3.21');
  });
});

describe('a suspended shop', inBrowser, () => {
  it('is said to be one at once, and its codes are not taken', async () => {
    const code = await aCode(100);
    const { tenantId } = shop;
    const screen = await open({ app: 'till', person: 'operator' });
    const { page } = screen;
    await type(page, code);
    const button = page.getByRole('button', { name: 'Take €1.00 off' });
    await button.waitFor();
    await shop.as('admin').suspendTenant({ tenantId, body: {} });
    await page.getByText('No code can be taken').waitFor();
    await button.click();
    await seen(page).toContain('This shop is suspended. Points stay as they are');
    // The browser itself complains of what is refused.
    screen.complaints.length = 0;
    await expectSound(screen);
    await shop.as('admin').reinstateTenant({ tenantId, body: {} });
    await button.click();
    await seen(page).toContain('Take €1.00 off the price.');
  });
});

describe('an invite', inBrowser, () => {
  it('is read, and accepted, by the person whom it is for', async () => {
    const tenantId = await aTenant(shop.db, { name: 'Tea House' });
    const { id } = await anInvite(shop.db, { tenantId, email: PEOPLE.operator.email });
    const screen = await visit({ app: 'till', person: 'operator', path: `/invites/${id}` });
    await signIn(screen.page, 'operator');
    await seen(screen.page).toContain('Tea House invites you to work at its till.');
    await expectSound(screen);
    await screen.page.getByRole('button', { name: 'Accept' }).click();
    await seen(screen.page).toContain('You work for Tea House now.');
    await screen.page.getByRole('link', { name: 'To the till' }).click();
    await screen.page.getByLabel('Shop').selectOption('Tea House');
    await type(screen.page, codeOnFilm);
    await seen(screen.page).toContain('There is no such code in this shop.');

    const client = shop.as('operator');
    await client.leaveShop({ tenantId });
  });

  it('is declined, and of somebody else says nothing', async () => {
    const tenantId = await aTenant(shop.db, { name: 'Book Shop' });
    const { id } = await anInvite(shop.db, { tenantId, email: PEOPLE.consumer.email });
    const other = await visit({ app: 'till', person: 'operator', path: `/invites/${id}` });
    await signIn(other.page, 'operator');
    await seen(other.page).toContain('This invite is not for the address');
    expect(await other.page.getByRole('main').innerText()).not.toContain('Book Shop');
    const screen = await visit({ app: 'till', person: 'consumer', path: `/invites/${id}` });
    await signIn(screen.page, 'consumer');
    await screen.page.getByRole('button', { name: 'Decline' }).click();
    await seen(screen.page).toContain('You have declined.');
    await expectSound(screen);
  });
});
