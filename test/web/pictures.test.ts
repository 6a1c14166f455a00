import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import type { AppName } from '../../web/policy.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The pictures of README: `npm run pictures` takes them of the apps as they are.

const FOLDER = 'docs/apps';
const isWritten = process.env.PICTURES === 'write';
const { email } = PEOPLE.consumer;
const DAY_MS = 86_400_000;

type Picture = {
  app: AppName;
  person: PersonName;
  size: 'phone' | 'desktop';
  /** Goes to what is shown. */
  show(page: Page): Promise<unknown>;
};

const codeOf = async () => {
  const [wallet] = await shop.as('consumer').listWallets();
  const { redemptionCode } = await shop.as('consumer').confirmRedemption({
    walletId: required(wallet).id,
    body: { pointsToRedeem: 500 },
  });
  return redemptionCode;
};

const PICTURES: Record<string, Picture> = {
  wallet: {
    app: 'wallet',
    person: 'consumer',
    size: 'phone',
    async show(page) {
      await codeOf();
      await page.reload();
      await page.getByRole('link', { name: /€5\.00/ }).click();
      await page.getByRole('img', { name: /QR code of/ }).waitFor();
    },
  },
  till: {
    app: 'till',
    person: 'operator',
    size: 'phone',
    async show(page) {
      const code = await codeOf();
      await page.getByRole('textbox').first().fill(code);
      await page.getByText('€5.00').first().waitFor();
    },
  },
  portal: {
    app: 'portal',
    person: 'merchant',
    size: 'desktop',
    async show(page) {
      // A shop that has done the steps of its first day.
      const body = { businessName: 'Corner Café' };
      await shop.as('merchant').updateOnboarding({ tenantId: shop.tenantId, body });
      await page.evaluate(`history.pushState(null, '', '/portal/poster')`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goto(`${shop.url}/portal/`);
      await page.getByText('Set up your shop').waitFor({ state: 'detached' });
      await page.getByRole('img', { name: 'Sales over time' }).waitFor();
    },
  },
  office: {
    app: 'office',
    person: 'admin',
    size: 'desktop',
    async show(page) {
      const [wallet] = await shop.as('consumer').listWallets();
      await page.goto(`${shop.url}/office/wallets/${required(wallet).id}`);
      await page.getByRole('table').waitFor();
    },
  },
};

const shop = await useShop();
const { open } = useScreens(shop);

/** A month of sales, some of customers whom nobody knows. */
async function aMonth() {
  const { tenantId } = shop;
  await shop.as('merchant').updateBranding({ tenantId, body: { color: '#0b5a68' } });
  for (let day = 29; day >= 0; day--) {
    const amount = 900 + ((day * 379) % 1_400);
    const id = await shop.sell(day % 4 === 1 ? { amount } : { email, amount });
    const occurredAt = new Date(Date.now() - day * DAY_MS);
    await shop.db('payments').where({ id }).update({ occurredAt });
  }
}

describe('README', () => {
  it('names pictures that are there, and none is there that it does not name', () => {
    const text = readFileSync('README.md', 'utf8');
    const named = [...text.matchAll(/\((docs\/apps\/[\w-]+\.png)\)/g)].map(([, path]) => path);
    const made = Object.keys(PICTURES).map((name) => `${FOLDER}/${name}.png`);
    expect(named.toSorted()).toEqual(made.toSorted());
    expect(readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`)).toEqual(made.toSorted());
  });

  it.each(Object.entries(PICTURES))('has %s in its size', async (name, { size }) => {
    const { width, height } = await sharp(`${FOLDER}/${name}.png`).metadata();
    expect([width, height]).toEqual(size === 'phone' ? [390, 844] : [1280, 800]);
  });
});

describe.runIf(isWritten)('pictures', inBrowser, () => {
  it('are taken', async () => {
    await aMonth();
    for (const [name, { app, person, size, show }] of Object.entries(PICTURES)) {
      const { page } = await open({ app, person, size });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await show(page);
      await expect.poll(() => page.locator('.skeleton').count(), SOON).toBe(0);
      await page.evaluate(`Promise.allSettled(document.getAnimations()
        .filter((one) => one.effect.getTiming().iterations !== Infinity)
        .map((one) => one.finished))`);
      await page.screenshot({ path: `${FOLDER}/${name}.png` });
    }
  }, 180_000);
});
