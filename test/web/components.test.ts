import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { builtApps } from '../../web/build.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// Every component in each of its states, as developers have them before their eyes.

const shop = await useShop();
const { visit } = useScreens(shop);

async function components(size: 'phone' | 'desktop') {
  const screen = await visit({ app: 'portal', person: 'merchant', path: '/components/', size });
  await screen.page.getByRole('heading', { name: 'Components', level: 1 }).waitFor();
  return screen;
}

/** Has each text longer and in letters that no text of ours has, as another language might. */
const translate = (page: Page) =>
  page.evaluate(`{
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const words = text.data.replace(/\\p{L}{3,}/gu, (word) => 'ש' + word.toUpperCase() + 'ןה');
      if (text.parentElement.closest('select, option') === null) text.data = words;
    }
  }`);

describe.each(['phone', 'desktop'] as const)('the components on a %s', inBrowser, (size) => {
  it.each(['Light', 'Dark'])('are sound in the scheme %s', async (scheme) => {
    const screen = await components(size);
    await screen.page.getByLabel('Scheme').selectOption(scheme);
    await expectSound(screen);
  });

  it('are sound from right to left, in a language of longer words', async () => {
    const screen = await components(size);
    await screen.page.getByLabel('From right to left').check();
    await translate(screen.page);
    await expectSound(screen);
  });

  it('are sound with text of twice the size', async () => {
    const screen = await components(size);
    await screen.page.getByLabel('Text of twice the size').check();
    await expectSound(screen);
  });

  it('say what was done, and close what is above the page', async () => {
    const screen = await components(size);
    const { page } = screen;
    await page.getByRole('button', { name: 'A toast' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await expectSound(screen);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'A dialog', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound(screen);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'A dialog that asks' }).click();
    await page.getByLabel('Reason').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  });
});

it('are no part of what installations serve', async () => {
  expect(existsSync(join(await builtApps(), 'components'))).toBe(false);
});
