import axe from 'axe-core';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import { CLIENT_ID, Browser as SignInBrowser } from '../../sandbox/identity/sign-in.ts';
import { startChromium } from '../../sandbox/processes/chromium.ts';
import type { AppName } from '../../web/policy.ts';
import { SCOPE, type TestShop } from './shop.ts';

/** What is waited for on a screen, on a machine with other work. */
export const SOON = { timeout: 40_000, interval: 50 };

const SIZES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;
type Size = keyof typeof SIZES;

export type Screen = {
  page: Page;
  size: Size;
  /** Errors of the page and of the console, and requests to other hosts than the shop's. */
  complaints: string[];
  /** What was asked of the service, as `GET /consumer/wallets`. */
  asked: string[];
};

type ScreenOptions = {
  app: AppName;
  person: PersonName;
  size?: Size;
  scheme?: 'light' | 'dark';
  /** Where the person is, and the language of their browser: `de-DE`. */
  timeZone?: string;
  locale?: string;
  /** The address to open, if not the app's own. */
  path?: string;
  /** Other addresses than the shop's that the page may go to. */
  alsoAt?: readonly string[];
  /** What is to be set up in the browser before the page is opened. */
  before?(context: BrowserContext): Promise<unknown>;
};

/**
 * Opens the apps of a shop in Chromium, which may be started with further switches; closes
 * everything after each test.
 */
export function useScreens(shop: TestShop, switches: () => readonly string[] = () => []) {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await startChromium(switches());
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
  });

  /** Opens an app in a browser of its own, without signing in. */
  const visit = async (options: ScreenOptions): Promise<Screen> => {
    const { app, size = 'phone', scheme = 'light', path = `/${app}/` } = options;
    const { timeZone: timezoneId, locale } = options;
    const context = await browser.newContext({
      ...SIZES[size],
      colorScheme: scheme,
      // Nothing is drawn sixty times a second for nobody.
      reducedMotion: 'reduce',
      ...(timezoneId !== undefined && { timezoneId }),
      ...(locale !== undefined && { locale }),
    });
    contexts.push(context);
    // Before the test's own time is over, so that a failure says what was waited for.
    context.setDefaultTimeout(SOON.timeout);
    await options.before?.(context);
    const page = await context.newPage();
    const screen: Screen = { page, size, complaints: [], asked: [] };
    const { alsoAt = [] } = options;
    const hosts = [shop.url, shop.app.url, shop.issuer, ...alsoAt];
    const allowed = hosts.map((url) => new URL(url).origin);
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === shop.app.url) {
        screen.asked.push(`${request.method()} ${pathname.replace('/api/v1', '')}`);
      } else if (!allowed.includes(origin) && origin !== 'null') {
        screen.complaints.push(`another host: ${request.url()}`);
      }
    });
    page.on('pageerror', (error) => screen.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) screen.complaints.push(message.text());
    });
    await page.goto(`${shop.url}${path}`);
    return screen;
  };

  /** Opens an app for somebody who has just come back to it from the sign-in page. */
  const open = async (options: ScreenOptions): Promise<Screen> => {
    const arrival = await passSignIn(shop, options);
    const before = async (context: BrowserContext) => {
      await context.addCookies(arrival.cookies);
      await context.addInitScript(arrival.script);
      await options.before?.(context);
    };
    const screen = await visit({ ...options, before, path: arrival.path });
    await screen.page.waitForURL((url) => !url.pathname.endsWith('/signed-in'));
    return screen;
  };
  return { visit, open };
}

/**
 * Goes over HTTP the way from an app to the sign-in page and back, which is two pages less to load
 * in Chromium. Returns the path that the person is sent back to, a script that keeps there what the
 * app had kept for it, and the cookies of the identity provider.
 */
async function passSignIn({ url, issuer }: TestShop, { app, person, path }: ScreenOptions) {
  const store = new InMemoryWebStorage();
  const home = `${url}/${app}/`;
  const oidc = new OidcClient({
    authority: issuer,
    client_id: CLIENT_ID,
    redirect_uri: `${home}signed-in`,
    scope: SCOPE,
    stateStore: new WebStorageStateStore({ store }),
  });
  const request = await oidc.createSigninRequest({
    state: { url: path ?? `/${app}/` },
    request_type: 'si:r',
    prompt: 'login',
  });
  const browser = new SignInBrowser(issuer);
  const form = await browser.follow(request.url);
  const end = new URL(await browser.follow(form, new URLSearchParams({ person })));
  const key = store.key(0);
  const kept = [key, store.getItem(key)].map((text) => JSON.stringify(text)).join(', ');
  return {
    path: `${end.pathname}${end.search}`,
    script: `if (location.href === '${end}') sessionStorage.setItem(${kept});`,
    cookies: [...browser.cookies]
      .filter(([name]) => name.startsWith('_session'))
      .map(([name, value]) => ({ name, value, url: issuer })),
  };
}

/** Signs in from the start page of an app. */
export async function signIn(page: Page, person: PersonName): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: `Sign in as ${PEOPLE[person].name}` }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/signed-in'));
}

/** Signs out by the account menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
}

/** Whether somebody is signed in, as the page says. */
export const isIn = (page: Page) => page.getByRole('button', { name: /^Account: / }).isVisible();

/** Turns an app to one of its pages, and waits until nothing on it is still on its way. */
export async function turnTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${address}')`);
  await page.locator('h1').first().waitFor();
  await settled(address.includes('open=') ? page.getByRole('dialog') : page.locator('body'));
}

/** Waits until nothing in a part of a page is still on its way. */
export async function settled(part: Locator): Promise<void> {
  await part.waitFor();
  await expect.poll(() => part.locator('.skeleton').count(), SOON).toBe(0);
}

/** Has a browser see an installation whose shops have no programmes: `PROGRAMME=off`. */
export const withoutProgrammes = (context: BrowserContext) =>
  context.route('**/api/v1/auth/me', async (route) => {
    try {
      const response = await route.fetch();
      const json = { ...(await response.json()), hasProgrammes: false };
      await route.fulfill({ response, json });
    } catch {
      // The page was closed meanwhile. Any other that gets no answer fails its test.
    }
  });

/** Holds requests back until they are let go. */
export function gate() {
  let letGo = () => {};
  const opened = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const hold = (route: Route) => opened.then(() => route.continue());
  return { hold, letGo };
}

const Findings = z.array(
  z.object({ id: z.string(), impact: z.string(), nodes: z.array(z.string()) }),
);

/**
 * Expects of what a screen shows now: nothing serious that axe finds, nothing that has to be
 * scrolled to sideways, no error, and no other host.
 */
export async function expectSound({ page, complaints }: Screen): Promise<void> {
  // What is still fading in has the colors of neither state.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getTiming().iterations !== Infinity)
    .map((one) => one.finished))`);
  // Evaluated, not added as an element, which the policy of the page would refuse.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(`axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
  }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({
    id, impact: impact ?? 'minor', nodes: nodes.map(({ html }) => html) })))`);
  const serious = Findings.parse(found).filter(({ impact }) => /serious|critical/.test(impact));
  expect(serious).toEqual([]);
  const excess = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(excess).toBe(0);
  expect(complaints).toEqual([]);
}
