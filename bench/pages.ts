import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { PEOPLE, type PersonName } from '../sandbox/identity/people.ts';
import { startChromium } from '../sandbox/processes/chromium.ts';
import { inherited } from '../sandbox/processes/inherited.ts';
import { APPS, type AppName } from '../web/policy.ts';
import { type Options, repetitions } from './options.ts';
import { startProgram } from './programs.ts';
import { formatSpread, type Section } from './report.ts';
import { appendTo, spreadOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';

const SANDBOX = new URL('../sandbox/main.ts', import.meta.url);
const STARTED_WITHIN_MS = 300_000;
const MOST = 5;
const PERSON_OF: Record<AppName, PersonName> = {
  wallet: 'consumer',
  till: 'operator',
  portal: 'merchant',
  office: 'admin',
};

/** A phone of the middle class, as Lighthouse simulates it: a quarter of the speed, and slow 4G. */
const SLOWDOWN = 4;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
/** So long nothing may happen until a page counts as ready: no long task, no request. */
const QUIET_MS = 2_000;
const LONG_TASK_MS = 50;
const MOST_BYTES = 150_000;
/** What Lighthouse calls fast enough for a phone: green is up to 3.8 s. */
const MOST_INTERACTIVE_MS = 3_800;

const VISITS = ['first visit', 'signed in'] as const;
type Visit = (typeof VISITS)[number];

const Loaded = z.object({
  /** First and largest contentful paint, in milliseconds since the start of the navigation. */
  first: z.number(),
  largest: z.number(),
  longTasks: z.array(z.object({ start: z.number(), length: z.number() })),
});
type Measurement = {
  bytes: number;
  requests: number;
  first: number;
  largest: number;
  /** What long tasks took beyond 50 ms each, after the first paint. */
  blocked: number;
  /** The end of the last long task before it was quiet, and the first paint at least. */
  interactive: number;
};
const FIGURES = ['bytes', 'requests', 'first', 'largest', 'blocked', 'interactive'] as const;

/**
 * Measures how the apps of a started sandbox load on a slow phone with an empty cache: the page
 * that a newcomer sees, and the first page of a person who is signed in.
 */
export async function runPages(
  testbed: Testbed,
  options: Pick<Options, 'quick' | 'print'>,
): Promise<Section[]> {
  const apps = await startSandbox(testbed);
  const browser = await startChromium();
  testbed.onClose(() => browser.close());
  const found = new Map<string, Measurement[]>();
  for (const repetition of repetitions(options, MOST)) {
    for (const app of APPS) {
      testbed.log(`The ${app}, repetition ${repetition}`);
      const address = `${apps}/${app}/`;
      const measured = await visit(browser, address, PERSON_OF[app]);
      for (const kind of VISITS) appendTo(found, `${app} ${kind}`, measured[kind]);
    }
  }
  const section = sectionOf(found);
  options.print(section);
  return [section];
}

/** Starts what `npm start` starts, and returns the address of the apps. */
async function startSandbox(testbed: Testbed): Promise<string> {
  const env = { ...inherited(), SANDBOX_DIR: join(testbed.folder, 'sandbox') };
  startProgram(testbed, SANDBOX, { name: 'sandbox', env });
  for (const until = Date.now() + STARTED_WITHIN_MS; Date.now() < until; await sleep(200)) {
    const log = readFileSync(join(testbed.folder, 'sandbox.log'), 'utf8');
    const [, apps] = /Consumer +(http:\S+)\/wallet\//.exec(log) ?? [];
    if (apps !== undefined) return apps;
  }
  throw new Error('The sandbox has not started within five minutes');
}

async function visit(
  browser: Browser,
  address: string,
  person: PersonName,
): Promise<Record<Visit, Measurement>> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    // What the wallet's worker keeps for later is not what people wait for.
    serviceWorkers: 'block',
  });
  try {
    await context.addInitScript(OBSERVE);
    const first = await load(context, address, 'Sign in');
    await signIn(context, address, person);
    const signedIn = await load(context, address, 'Sign out');
    return { 'first visit': first, 'signed in': signedIn };
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, address: string, person: PersonName) {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: `Sign in as ${PEOPLE[person].name}` }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.close();
}

/** Loads an app on a slow device without a cache, until a button is there and all is quiet. */
async function load(
  context: BrowserContext,
  address: string,
  button: string,
): Promise<Measurement> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const received = await countReceived(session, new URL(address));
  await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address);
  await page.getByRole('button', { name: button, exact: true }).waitFor();
  const loaded = await untilQuiet(page);
  await page.close();
  const { first, largest, longTasks } = loaded;
  const after = longTasks.filter(({ start, length }) => start + length > first);
  return {
    ...received,
    first,
    largest,
    blocked: after.reduce((sum, { length }) => sum + length - LONG_TASK_MS, 0),
    interactive: Math.max(first, ...after.map(({ start, length }) => start + length)),
  };
}

/** Counts all requests, and the compressed bytes of the files of the app itself. */
async function countReceived(
  session: CDPSession,
  { origin }: URL,
): Promise<{ bytes: number; requests: number }> {
  const received = { bytes: 0, requests: 0 };
  const own = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    received.requests += 1;
    if (request.url.startsWith(`${origin}/`)) own.add(requestId);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) received.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return received;
}

async function untilQuiet(page: Page): Promise<z.infer<typeof Loaded>> {
  for (;;) {
    const before = Loaded.parse(await page.evaluate('globalThis.loaded'));
    await sleep(QUIET_MS);
    const after = Loaded.parse(await page.evaluate('globalThis.loaded'));
    if (after.longTasks.length === before.longTasks.length) return after;
  }
}

/** Runs in the page before everything else. */
const OBSERVE = `
globalThis.loaded = { first: 0, largest: 0, longTasks: [] };
new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) {
    if (name === 'first-contentful-paint') loaded.first = startTime;
  }
}).observe({ type: 'paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) loaded.largest = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) {
    loaded.longTasks.push({ start: startTime, length: duration });
  }
}).observe({ type: 'longtask', buffered: true });
`;

function sectionOf(found: ReadonlyMap<string, Measurement[]>): Section {
  const of = (name: string, figure: keyof Measurement) =>
    (found.get(name) ?? []).map((measurement) => measurement[figure]);
  const names = [...found.keys()];
  return {
    key: 'pages',
    figures: Object.fromEntries(
      names.flatMap((name) =>
        FIGURES.map((figure) => [
          `${name.replaceAll(' ', '_')}.${figure}`,
          spreadOf(of(name, figure)),
        ]),
      ),
    ),
    title: 'The apps on a slow phone (min/median/max)',
    note:
      'A processor of a quarter of the speed, 1.6 Mbit/s, 150 ms, nothing in the cache. The ' +
      'bytes are those of the files of the app, compressed; the requests are all, also to the API.',
    columns: ['app', 'bytes', 'requests', 'first paint, ms', 'largest', 'blocked', 'interactive'],
    rows: names.map((name) => [
      name,
      ...FIGURES.map((figure) => formatSpread(spreadOf(of(name, figure)))),
    ]),
    bars: APPS.flatMap((app) => [
      {
        figure: `bytes of the first visit to the ${app}`,
        value: spreadOf(of(`${app} first visit`, 'bytes')).median,
        atMost: MOST_BYTES,
      },
      {
        figure: `milliseconds until the ${app} is interactive at the first visit`,
        value: spreadOf(of(`${app} first visit`, 'interactive')).median,
        atMost: MOST_INTERACTIVE_MS,
      },
    ]),
  };
}
