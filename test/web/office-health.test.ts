import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { anAlphaConnection, aTenant } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { unwantedIn } from './words.ts';

// What an administrator sees of how the service is.

const shop = await useShop();
const { open } = useScreens(shop);

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

describe.each(['phone', 'desktop'] as const)('the health on a %s', inBrowser, (size) => {
  it('names the shop that is in trouble and what to do, and says when all is well', async () => {
    const tenantId = await aTenant(shop.db, { name: `Second Scoop ${size}` });
    await anAlphaConnection(shop.db, { tenantId, merchantId: `M-${size}` });
    const lost = (since: unknown) =>
      shop.db('pos_connections').where({ tenantId }).update({ needsReconnectSince: since });
    await lost(shop.db.raw(`now() - interval '2 hours 1 minute'`));
    const scheme = size === 'phone' ? 'light' : 'dark';
    const path = '/office/health';
    const screen = await open({ app: 'office', person: 'admin', path, size, scheme });
    const { page } = screen;
    const line = page.getByRole('listitem').filter({ hasText: 'Connections to points of sale' });
    await expect
      .poll(() => line.innerText(), SOON)
      .toMatch(/Ask them to\.\s+Second Scoop \w+ Alpha, for 2 hours\s+Needs help/);
    expect(unwantedIn(await page.getByRole('main').innerText())).toEqual([]);
    await expectSound(screen);
    await line.getByRole('link', { name: `Second Scoop ${size}` }).click();
    await page.waitForURL(`**/shops/${tenantId}`);
    await page.getByRole('heading', { name: `Second Scoop ${size}` }).waitFor();
    await lost(null);
    await shop.db.raw(`select record_backup('log', now() - interval '3 minutes')`);
    await shop.db.raw(`select record_backup('copy', now() - interval '5 hours')`);
    await page.goBack();
    await seen(page).toContain('All is well.');
    await seen(page).toMatch(
      /Latest changes stored 3 min\. ago · full copy made 5 hr\. ago · rest/,
    );
    await expectSound(screen);
  });
});
