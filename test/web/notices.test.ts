import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { NoticeKind } from '../../domain/notices.ts';
import { createStopLinks } from '../../gateways/crypto/stop-links.ts';
import { testKeys } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { unwantedIn } from './words.ts';

// How people choose what they are mailed about, in an app and by the link in a mail.

const shop = await useShop();
const { open, visit } = useScreens(shop);
const links = createStopLinks(testKeys, shop.app.url);
const PICTURES = process.env.NOTICE_PICTURES;

const said = (page: Page) => expect.poll(() => page.getByRole('status').allInnerTexts(), SOON);
const picture = async (page: Page, name: string) => {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png` });
};

describe('the page of notices', inBrowser, () => {
  it('is in the account menu, where a customer chooses of which points to be told', async () => {
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('link', { name: 'Notices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notices' }).waitFor();
    const first = page.getByRole('button', { name: 'First at a shop', pressed: true });
    await first.waitFor();
    await page.getByRole('button', { name: 'Each time' }).click();
    await said(page).toContainEqual(expect.stringContaining('Saved.'));
    await page.getByRole('button', { name: 'Each time', pressed: true }).waitFor();
    expect(await shop.as('consumer').showNotices()).toMatchObject({ points: 'each' });
    expect(unwantedIn(await page.getByRole('main').innerText())).toEqual([]);
    await picture(page, 'wallet-phone');
    await expectSound(screen);
  });

  it.each([
    ['portal', 'merchant', 'weekly', 'Mail me each Monday'],
    ['office', 'admin', 'waiting', 'Mail me when a merchant waits'],
  ] as const)('has the switch of the %s', async (app, person, kind, label) => {
    const path = `/${app}/notices`;
    const screen = await open({ app, person, path, size: 'desktop', scheme: 'dark' });
    const { page } = screen;
    const box = page.getByLabel(label);
    await expect.poll(() => box.isChecked(), SOON).toBe(true);
    await box.click();
    await said(page).toContainEqual(expect.stringContaining('Saved.'));
    expect(await shop.as(person).showNotices()).toMatchObject({ [kind]: false });
    expect(unwantedIn(await page.getByRole('main').innerText())).toEqual([]);
    await picture(page, `${app}-desktop`);
    await expectSound(screen);
  });
});

describe('the link in a mail', inBrowser, () => {
  it.each([
    ['points', 'consumer', 'en-US', 'No more mails', 'You get no more of these mails.'],
    ['weekly', 'merchant', 'de-DE', 'Keine E-Mails mehr', 'Solche E-Mails kommen nicht mehr.'],
  ] as const)(
    'asks anybody who has the mail, and switches off %s',
    async (kind: NoticeKind, person, locale, button, done) => {
      await shop.as(person).changeNotices({ body: { points: 'first', weekly: true } });
      const url = links.urlOf({ userId: shop.userIds[person], kind });
      const { headers } = await fetch(url, { redirect: 'manual' });
      const target = new URL(headers.get('location') ?? '');
      const path = `${target.pathname}${target.search}`;
      const app = kind === 'points' ? 'wallet' : 'portal';
      const screen = await visit({ app, person, path, size: 'phone', locale });
      const { page } = screen;
      await page.getByRole('button', { name: button }).waitFor();
      await picture(page, `stop-${kind}`);
      await expectSound(screen);
      expect(await shop.as(person).showNotices()).toMatchObject({ points: 'first', weekly: true });
      await page.getByRole('button', { name: button }).click();
      await said(page).toContainEqual(expect.stringContaining(done));
      const now = await shop.as(person).showNotices();
      expect([now.points, now.weekly]).toEqual(
        kind === 'points' ? ['never', true] : ['first', false],
      );
    },
  );
});
