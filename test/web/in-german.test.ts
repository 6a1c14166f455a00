import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { APP_PAGES } from '../support/app-pages.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, settled, turnTo, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// A browser that asks for German gets no English word, on a phone and on a desktop.

const TEXTS = new URL('../../web/texts/', import.meta.url);
const shop = await useShop();
const { open, visit } = useScreens(shop);

/** Words that no German sentence has, and no name of the shop's. */
const ENGLISH = /\b(?:the|and|you|your|with|of|for|is|are|from|this|that|not|points?|days?)\b/i;

/** What the English texts say and no German one does, without what is put into sentences. */
const said = new Set(await textsOf('en'));
for (const text of await textsOf('de')) said.delete(text);

async function textsOf(language: string): Promise<string[]> {
  const folder = new URL(`${language}/`, TEXTS);
  const texts = await Promise.all(
    readdirSync(folder).map(async (file) => ({
      ...(await import(new URL(file, folder).pathname)),
    })),
  );
  return texts.flatMap(leavesOf);
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

async function leftoversIn(page: Page): Promise<string[]> {
  const shown = await page.locator('body').innerText();
  const lines = shown.split('\n').map((line) => line.trim());
  return lines.filter((line) => said.has(line) || ENGLISH.test(line.replace(/\S+[@,]\S+/g, '')));
}

describe.each(APP_PAGES)('the pages of the $app', inBrowser, ({ app, person, paths }) => {
  const story = { timeout: 240_000 };
  it.each(['phone', 'desktop'] as const)('are sound in German on a %s', story, async (size) => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 2_000 });
    await shop.sell({ email: 'unbekannt@example.com', amount: 900 });
    const [wallet] = await shop.as('consumer').listWallets();
    const { id: walletId } = required(wallet);
    await shop.as('consumer').confirmRedemption({ walletId, body: { pointsToRedeem: 100 } });
    const screen = await open({ app, person, size, locale: 'de-DE' });
    const { page } = screen;
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const found: string[] = [];
    for (const path of paths) {
      await turnTo(page, `/${app}${path}`);
      // The browser complains of the 404 of a shop whose first month has not ended.
      if (path === '/liability') screen.complaints.splice(0);
      await expectSound(screen);
      found.push(...(await leftoversIn(page)).map((line) => `${path}: ${line}`));
      const rows = page.locator('.row-link');
      if ((await page.getByRole('dialog').count()) > 0 || (await rows.count()) === 0) continue;
      await rows.first().click();
      await settled(page.getByRole('dialog'));
      await expectSound(screen);
      found.push(...(await leftoversIn(page)).map((line) => `a row of ${path}: ${line}`));
    }
    expect(found).toEqual([]);
  });
});

it('says in German what is wrong with a file of members', inBrowser, async () => {
  const [app, person, path] = ['portal', 'merchant', '/portal/imports'] as const;
  const { page } = await open({ app, person, path, locale: 'de-DE' });
  const buffer = Buffer.from('name,points\nAda,1');
  const file = { name: 'members.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('Datei auswählen').setInputFiles(file);
  await page.getByText('Die Datei muss mit der Zeile email,phone,points beginnen').waitFor();
});

describe('the language', inBrowser, () => {
  it('is chosen before the sign-in, and stays with the browser', async () => {
    const { page } = await visit({ app: 'wallet', person: 'consumer', locale: 'en-US' });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await page.title()).toBe('Meine Punkte');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });

  it('is chosen in the account menu', async () => {
    const { page } = await open({ app: 'wallet', person: 'consumer', locale: 'de-AT' });
    await page.getByText('Meine Punkte').first().waitFor();
    await page.getByRole('button', { name: /^Konto: / }).click();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('My points').first().waitFor();
    expect(await shop.as('consumer').showProfile()).toMatchObject({ language: 'en' });
  });
});
