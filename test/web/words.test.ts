import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { APP_PAGES } from '../support/app-pages.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { turnTo, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { unwantedIn } from './words.ts';

// The glossary for people is in CONTRIBUTING.md.

const FOLDER = new URL('../../web/texts/en/', import.meta.url);

/** What is in quotation marks, but for names of fields and files, and what is put into it. */
function textsIn(source: string): string[] {
  const code = source.replace(/^import .*$/gm, '').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const literals = code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g);
  return [...literals].flatMap(({ 0: whole, 1: single, 2: template = '', index }) => {
    const isName = /[{,]\s*$/.test(code.slice(0, index));
    if (isName && /^\s*:/.test(code.slice(index + whole.length))) return [];
    return [(single ?? template).replace(/\$\{[^}]*\}/g, '…')];
  });
}

describe('the texts of the apps', () => {
  it('are found, without names of fields', () => {
    const source = `import { a } from './operator.ts';
      const x = { 'operator.invite': 'Invited staff', a: (n: number) => \`\${n} points\`,
        b: n === 1 ? 'one' : 'many' };`;
    expect(textsIn(source)).toEqual(['Invited staff', '… points', 'one', 'many']);
    expect(unwantedIn('An Operator has run out')).toHaveLength(2);
    expect(unwantedIn('A customer, operator@example.com')).toEqual([]);
  });

  it.each(readdirSync(FOLDER))('say in %s what the glossary says', (file) => {
    const texts = textsIn(readFileSync(new URL(file, FOLDER), 'utf8'));
    const found = texts.flatMap((text) => unwantedIn(text).map((word) => `${word} in "${text}"`));
    expect(texts.length).toBeGreaterThan(0);
    expect(found).toEqual([]);
  });
});

const shop = await useShop();
const { open } = useScreens(shop);

/** The pages of those who are no administrators. Those of webhooks are for developers. */
const PAGES = APP_PAGES.filter(({ app }) => app !== 'office').map(({ paths, ...page }) => ({
  ...page,
  paths: paths.filter((path) => path !== '/webhooks'),
}));

describe.each(PAGES)('the pages of the $app', inBrowser, ({ app, person, paths }) => {
  it('show no other words, once something has happened', { timeout: 240_000 }, async () => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 2_000 });
    await shop.sell({ email: 'unknown@example.com', amount: 900 });
    const [wallet] = await shop.as('consumer').listWallets();
    const { id: walletId } = required(wallet);
    await shop.as('consumer').confirmRedemption({ walletId, body: { pointsToRedeem: 100 } });
    await shop.as('admin').adjustWallet({ walletId, body: { points: 5, reason: 'A gift.' } });
    const { page } = await open({ app, person, size: 'desktop' });
    const found: string[] = [];
    for (const path of paths) {
      await turnTo(page, `/${app}${path}`);
      const shown = await page.locator('body').innerText();
      found.push(...unwantedIn(shown).map((word) => `${path}: ${word}`));
    }
    expect(found).toEqual([]);
  });
});
