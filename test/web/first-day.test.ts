import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { anAlphaEvent, required, storedEvents, testPolicy } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { startProviders } from '../support/providers/connecting.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// The first day of a merchant: from the sign-up to the first credited sale and the poster, with an
// administrator who approves. What it takes is counted, and printed.

/** Where the provider sends browsers back to; Chromium is told that the API is there. */
const API = 'http://api.shop.example';
/** More than that, and somebody asks what to do next. */
const [MOST_PRESSES, MOST_FIELDS] = [20, 8];

const providers = await startProviders(API);
afterAll(() => providers.stop());
const shop = await useShop({
  oauth: providers.oauth,
  orchestrator: {
    exchangeOAuthCode: ({ id }) => providers.exchangeCode(shop.db, id),
    stopPollingLater: () => undefined,
  },
});
const { open, visit } = useScreens(shop, () => [
  `--host-resolver-rules=MAP ${new URL(API).host} ${new URL(shop.app.url).host}`,
]);
const alsoAt = [providers.alpha.url, API];

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });

/** Has the browser say that the page is seen, or is not. */
const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);

/** Counts what people press and fill in. */
function counting() {
  const count = { presses: 0, fields: 0 };
  return {
    count,
    async press(what: Locator) {
      count.presses += 1;
      await what.click();
    },
    async fill(what: Locator, text: string) {
      count.fields += 1;
      await what.fill(text);
    },
  };
}
type Hands = ReturnType<typeof counting>;

async function signUp({ page }: { page: Page }, email: string, { press, fill }: Hands) {
  await press(button(page, 'Sign in'));
  await fill(page.getByLabel('Name'), 'Lina Park');
  await fill(page.getByLabel('E-mail', { exact: true }), email);
  await press(page.getByLabel('wants a shop'));
  await press(button(page, 'Add, and sign in'));
}

async function apply(page: Page, { press, fill }: Hands) {
  await fill(page.getByLabel('Name of the shop'), 'Second Scoop');
  await fill(page.getByLabel('Phone'), '+1 212 555 0177');
  await fill(page.getByLabel('Website'), 'second-scoop.example');
  await fill(page.getByLabel('Why would you like'), 'Our guests ask for it.');
  await press(button(page, 'Send'));
  await seen(page).toMatch(/We look at it[\s\S]*Second Scoop[\s\S]*https:..second-scoop\.example/);
}

async function approve(email: string, size: 'phone' | 'desktop', { press }: Hands) {
  const screen = await open({ app: 'office', person: 'admin', size });
  const { page } = screen;
  await seen(page).toMatch(/Lina|Second Scoop[\s\S]*\+1 212 555 0177[\s\S]*Our guests ask for it/);
  await expectSound(screen);
  await press(page.getByRole('button', { name: `Approve ${email}` }));
  await press(button(page.getByRole('dialog'), 'Approve'));
  await seen(page).toContain('is approved');
}

/** A sale at the account that the merchant has connected, of a customer who has signed in. */
async function ringAtTheTill(tenantId: string) {
  const connection = await shop.db('pos_connections').where({ tenantId }).first('merchantId');
  const { merchantId } = required<{ merchantId: string }>(connection);
  const { email } = PEOPLE.consumer;
  const sale = { id: `PAY_${randomUUID()}`, email, amount: 1_250, currency: 'USD' };
  const events = await storedEvents(shop.db, merchantId, [anAlphaEvent(merchantId, sale)]);
  await ingestEventBatch(shop.db, events, new Map(), testPolicy);
}

async function tenantOf(email: string): Promise<string> {
  const [found] = await shop.as('admin').searchUsers({ q: email });
  return required(required(found).tenantIds[0]);
}

describe.each(['phone', 'desktop'] as const)('the first day on a %s', inBrowser, (size) => {
  it('goes from the sign-up to the first credited sale', { timeout: 180_000 }, async () => {
    const hands = counting();
    const { press, fill, count } = hands;
    const began = Date.now();
    const email = `lina-${size}@example.com`;
    const screen = await visit({ app: 'portal', person: 'merchant', size, alsoAt });
    const { page } = screen;
    await signUp(screen, email, hands);
    await page.getByLabel('Name of the shop').waitFor();
    await expectSound(screen);
    await apply(page, hands);
    await expectSound(screen);

    // On a phone the page of who waits is behind another one meanwhile; nobody touches it.
    if (size === 'phone') await turn(page, 'hidden');
    screen.asked.length = 0;
    await approve(email, size, hands);
    if (size === 'phone') {
      expect(screen.asked).toEqual([]);
      await turn(page, 'visible');
    }
    await page.getByRole('link', { name: 'Connect it' }).waitFor();
    await expectSound(screen);
    await seen(page).toMatch(/Second Scoop[\s\S]*Name your shop\s+Done/);

    await press(page.getByRole('link', { name: 'Connect it' }));
    await press(button(page, 'Connect Alpha'));
    await fill(page.getByLabel('open an account'), 'Second Scoop');
    await press(button(page, 'Open it, and allow'));
    await press(page.getByRole('link', { name: 'Go on' }));
    // Of the header by which pages are kept apart, which counts for https only.
    screen.complaints.length = 0;
    await press(page.getByRole('link', { name: 'Make the rule' }));
    await seen(page).toContain('A sale of');
    await press(button(page, 'Publish'));
    await seen(page).toMatch(/Make a test sale\s+Ring up a small one/);
    await expectSound(screen);

    await ringAtTheTill(await tenantOf(email));
    await page.getByRole('link', { name: 'Invite staff' }).waitFor();
    const { presses, fields } = count;
    const seconds = Math.round((Date.now() - began) / 1_000);
    process.stdout.write(
      `First credited sale on a ${size}: ${presses} presses, ${fields} fields, ${seconds} s\n`,
    );
    expect(presses).toBeLessThanOrEqual(MOST_PRESSES);
    expect(fields).toBeLessThanOrEqual(MOST_FIELDS);

    await press(page.getByRole('link', { name: 'Invite staff' }));
    await press(button(page, 'Invite staff'));
    await fill(page.getByRole('dialog').getByLabel('E-mail'), `till-${size}@example.com`);
    await page.keyboard.press('Enter');
    await page.getByText('is invited').waitFor();
    await page.goto(`${shop.url}/portal/`);
    await press(page.getByRole('link', { name: 'See the poster' }));
    await page.getByText('Collect points here').waitFor();
    await expectSound(screen);
    await page.goto(`${shop.url}/portal/`);
    await page.getByRole('region', { name: 'Figures' }).waitFor();
    await expect.poll(() => page.locator('.step').count(), SOON).toBe(0);
  });
});
