// A module, whose `self` is its own.
export {};

declare const self: ServiceWorkerGlobalScope;

// Keeps the wallet's own files, so that it opens without a connection. Answers of the service and
// of the identity provider pass by: what the app shows without them, it remembers itself.

const CACHE = 'loyalty-wallet';
const PAGE = '/wallet/';
const CONFIG = '/config.json';
const ICON = '/icon-192.png';
/** Enough for several builds; the oldest go first. */
const MOST_FILES = 200;

self.addEventListener('install', (event) => {
  event.waitUntil(keepFirst().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    event.respondWith(newest(request, PAGE, (page) => event.waitUntil(keepPage(page))));
  } else if (url.pathname === CONFIG) {
    event.respondWith(newest(request, CONFIG, (config) => event.waitUntil(keepConfig(config))));
  } else if (isFile(url)) event.respondWith(kept(request));
});

self.addEventListener('push', (event) => {
  const message: unknown = event.data?.json();
  const text = (name: string) => textIn(message, name);
  // A message with the tag of one that is shown takes its place, without a sound.
  const shown = { tag: text('tag'), lang: text('language'), data: text('path'), icon: ICON };
  event.waitUntil(self.registration.showNotification(text('title'), shown));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openAt(String(event.notification.data)));
});

function textIn(message: unknown, name: string): string {
  const value = typeof message === 'object' && message !== null && Reflect.get(message, name);
  return typeof value === 'string' ? value : '';
}

/** Shows a page of the wallet: in its window, where one is open. */
async function openAt(path: string): Promise<void> {
  const url = new URL(path, self.location.origin);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(PAGE)) return;
  const windows = await self.clients.matchAll({ type: 'window' });
  const open = windows.find((each) => new URL(each.url).pathname.startsWith(PAGE));
  if (open === undefined) await self.clients.openWindow(url);
  else await (await open.focus()).navigate(url);
}

/** What never changes under its address, or hardly ever. */
function isFile({ pathname }: URL): boolean {
  return pathname.startsWith('/assets/') || /^\/icon[-.\w]*$/.test(pathname);
}

/** Keeps the page and the configuration: all that a start needs. */
async function keepFirst(): Promise<void> {
  await Promise.all([fetch(PAGE).then(keepPage), fetch(CONFIG).then(keepConfig)]);
}

async function keepConfig(config: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(CONFIG, config);
}

/** Keeps a new build's page, once each file is kept that it, or a script of it, names. */
async function keepPage(page: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  const text = await page.clone().text();
  const before = await cache.match(PAGE);
  if (text === (await before?.text())) return;
  const known = new Set<string>();
  let texts = [text];
  while (texts.length > 0) {
    const found = [...new Set(texts.flatMap(namedIn))].filter((path) => !known.has(path));
    for (const path of found) known.add(path);
    const files = await Promise.all(found.map((path) => kept(new Request(path))));
    texts = await Promise.all(files.map(scriptOf));
  }
  await cache.put(PAGE, page);
}

/** The files that a page or a script names: a script those that it may load later as well. */
function namedIn(text: string): string[] {
  const files = text.matchAll(/["'`](?:\/?assets\/|\.\/)([-\w]+\.(?:js|css))["'`]/g);
  const icons = text.matchAll(/href="(\/icon[^"]+)"/g);
  return [
    ...[...files].map(([, name]) => `/assets/${name}`),
    ...[...icons].map(([, path = '']) => path),
  ];
}

async function scriptOf(file: Response): Promise<string> {
  if (!file.ok) throw new Error(`${file.url} was answered with ${file.status}`);
  return file.url.endsWith('.js') ? file.text() : '';
}

/** Asks for it again, keeps what comes, and falls back on what was kept under the address. */
async function newest(
  request: Request,
  keptAs: string,
  keep: (response: Response) => unknown,
): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) keep(response.clone());
    return response;
  } catch (error) {
    const before = await caches.match(keptAs, { cacheName: CACHE });
    if (before === undefined) throw error;
    return before;
  }
}

/** What was kept, or else asked for and kept. */
async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const before = await cache.match(request);
  if (before !== undefined) return before;
  const response = await fetch(request);
  if (response.ok) {
    await cache.put(request, response.clone());
    const keys = await cache.keys();
    await Promise.all(keys.slice(0, -MOST_FILES).map((key) => cache.delete(key)));
  }
  return response;
}
