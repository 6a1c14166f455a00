import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as subscriptions from '../../db/notices/push-subscriptions.ts';
import { publicPushKey } from '../../gateways/push/pusher.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { aBrowser } from '../support/push-service.ts';
import { expectSound, isIn, SOON, signIn, signOut, useScreens } from './screens.ts';
import { useShop } from './shop.ts';
import { unwantedIn } from './words.ts';

// A headless browser has no push service, and grants nothing: what it would answer is made up here,
// and nothing else.

const pushKey = publicPushKey(Buffer.alloc(32, 7).toString('base64url'));
const shop = await useShop({ settings: { pushKey } });
const { open } = useScreens(shop);
const endpoint = 'https://push.example/of-this-phone';
const PICTURES = process.env.NOTICE_PICTURES;

/** A browser in which people answer as given when they are asked. */
const answering = (answer: 'granted' | 'denied' | 'default') => (context: BrowserContext) =>
  context.addInitScript(`
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => (permission = '${answer}');
    let its = null;
    const key = Uint8Array.from(
      atob('${pushKey}'.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const made = {
      endpoint: '${endpoint}',
      options: { applicationServerKey: key.buffer },
      toJSON: () => ({ endpoint: '${endpoint}', keys: ${JSON.stringify(aBrowser().keys)} }),
      unsubscribe: async () => { its = null; return true; },
    };
    PushManager.prototype.getSubscription = async () => its;
    PushManager.prototype.subscribe = async (options) => {
      globalThis.asked = options;
      return (its = made);
    };`);
const page = { app: 'wallet', person: 'consumer', path: '/wallet/notices' } as const;
const main = (shown: Page) => expect.poll(() => shown.getByRole('main').innerText(), SOON);
const stored = () => subscriptions.list(shop.db, shop.userIds.consumer);
const picture = async (shown: Page, name: string) => {
  if (PICTURES !== undefined) await shown.screenshot({ path: `${PICTURES}/${name}.png` });
};

describe('the switch “On this phone”', inBrowser, () => {
  it('subscribes once it is pressed, and ends it when it is pressed again', async () => {
    const screen = await open({ ...page, before: answering('granted') });
    const box = screen.page.getByLabel('Notify me on this phone');
    await expect.poll(() => box.isChecked(), SOON).toBe(false);
    expect(await screen.page.evaluate('Notification.permission')).toBe('default');
    await box.click();
    await expect.poll(() => box.isChecked(), SOON).toBe(true);
    expect(await stored()).toMatchObject([{ endpoint }]);
    expect(await screen.page.evaluate('asked')).toEqual({
      userVisibleOnly: true,
      applicationServerKey: pushKey,
    });
    expect(unwantedIn(await screen.page.getByRole('main').innerText())).toEqual([]);
    await picture(screen.page, 'phone-on');
    await expectSound(screen);
    await box.click();
    await expect.poll(() => box.isChecked(), SOON).toBe(false);
    expect(await stored()).toEqual([]);
  });

  it('says what to do where the browser blocks it, in German as well', async () => {
    const before = answering('denied');
    const screen = await open({ ...page, before, size: 'desktop', locale: 'de-DE' });
    await screen.page.getByLabel('Auf diesem Handy benachrichtigen').click();
    await main(screen.page).toContain('Dein Browser blockiert Mitteilungen');
    expect(await stored()).toEqual([]);
    await picture(screen.page, 'phone-blocked');
    await expectSound(screen);
  });

  it('says at Apple that the app has to be on the home screen', async () => {
    const before = (context: BrowserContext) =>
      context.addInitScript(`
        Object.defineProperty(navigator, 'standalone', { value: false });
        delete globalThis.PushManager;`);
    const screen = await open({ ...page, before });
    await main(screen.page).toContain('first add this app to your home screen');
    await expectSound(screen);
  });

  it('is not there for merchants', async () => {
    const path = '/portal/notices';
    const { page: shown } = await open({ app: 'portal', person: 'merchant', path });
    await main(shown).toContain('Weekly mail');
    expect(await shown.getByRole('main').innerText()).not.toContain('On this phone');
  });
});

describe('the messages of this phone', inBrowser, () => {
  it('end at a sign-out, known as theirs or not, and once somebody else signs in', async () => {
    // A subscription outlives the page, as it does in a browser with a push service.
    const before = (context: BrowserContext) =>
      context.addInitScript(`
        PushManager.prototype.getSubscription = async () =>
          localStorage.getItem('messages') && {
            unsubscribe: async () => localStorage.removeItem('messages'),
          };`);
    const { page: shown } = await open({ app: 'wallet', person: 'consumer', before });
    await shown.evaluate('navigator.serviceWorker.ready');
    const mark = `loyalty.phone.wallet.${PEOPLE.consumer.sub}`;
    const subscribe = (key: string) =>
      shown.evaluate(`for (const key of ['messages', '${key}']) localStorage.setItem(key, 'on')`);
    const kept = () => shown.evaluate(`[localStorage.messages, localStorage['${mark}']].join()`);

    await subscribe(mark);
    await shown.reload();
    await expect.poll(() => isIn(shown), SOON).toBe(true);
    expect(await kept()).toBe('on,on');

    await shown.evaluate(`localStorage.removeItem('${mark}')`);
    await signOut(shown);
    await shown.getByRole('button', { name: 'Sign out' }).click();
    await shown.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await kept()).toBe(',');

    await subscribe(mark);
    await signIn(shown, 'operator');
    await expect.poll(() => isIn(shown), SOON).toBe(true);
    expect(await kept()).toBe(',');
  });
});

describe('the line about messages in a wallet', inBrowser, () => {
  const opened = async (locale?: string) => {
    await shop.sell({ email: 'ada@example.com', amount: 1_000 });
    const [wallet] = await shop.as('consumer').listWallets();
    const path = `/wallet/wallets/${required(wallet).id}`;
    const before = answering('granted');
    return open({ app: 'wallet', person: 'consumer', path, before, ...(locale && { locale }) });
  };

  it('leads to the switch, and asks nothing by itself', async () => {
    const screen = await opened('de-DE');
    const line = screen.page.getByRole('link', { name: 'Lass dir auf diesem Handy sagen' });
    await line.waitFor();
    await picture(screen.page, 'phone-offer');
    await expectSound(screen);
    expect(await screen.page.evaluate('Notification.permission')).toBe('default');
    await line.click();
    await screen.page.getByLabel('Auf diesem Handy benachrichtigen').waitFor();
  });

  it('is gone for good once it is closed', async () => {
    const { page: shown } = await opened();
    const line = shown.getByRole('link', { name: 'Get a message on this phone' });
    await line.waitFor();
    await shown.getByRole('button', { name: 'Not now' }).click();
    await line.waitFor({ state: 'detached' });
    await shown.reload();
    await main(shown).toContain('points');
    expect(await line.count()).toBe(0);
  });
});
