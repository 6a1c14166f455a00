import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a customer gets what is kept about them.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
const { consumer: id } = shop.userIds;

describe('your data', inBrowser, () => {
  it('is downloaded as a file, three times a day', async () => {
    await shop.sell({ email, amount: 1_250, createdAt: new Date() });
    const screen = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    const { page } = screen;
    const button = page.getByRole('button', { name: 'Download my data' });
    for (let nth = 0; nth < 3; nth++) {
      const coming = page.waitForEvent('download');
      await button.click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe('my-points.json');
      expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
        person: { id, email },
        wallets: [{ wallet: { balance: 1_250 }, entries: [{ points: 1_250 }] }],
      });
    }
    await expectSound(screen);
    await button.click();
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts(), SOON)
      .toContainEqual(expect.stringContaining('three times within a day. Try again later.'));
  });
});
