// A module, whose `self` is its own.
export {};

declare const self: ServiceWorkerGlobalScope;

// Keeps the wallet's own files, so that it opens without a connection. Answers of the service and
// of the identity provider pass by: what the app shows without them, it remembers itself.

const CACHE = 'loyalty-wallet';
const PAGE = '/wallet/';
const CONFIG = '/config.json';
/** Enough for several builds; the oldest go first. */
const MOST_FILES = 60;

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
  if (request.mode === 'navigate') event.respondWith(newest(request, PAGE));
  else if (url.pathname === CONFIG) event.respondWith(newest(request, CONFIG));
  else if (isFile(url)) event.respondWith(kept(request));
});

/** What never changes under its address, or hardly ever. */
function isFile({ pathname }: URL): boolean {
  return pathname.startsWith('/assets/') || /^\/icon[-.\w]*$/.test(pathname);
}

/** Keeps the page, what it names, and the configuration: all that a start needs. */
async function keepFirst(): Promise<void> {
  const cache = await caches.open(CACHE);
  const page = await fetch(PAGE);
  const text = await page.clone().text();
  await cache.put(PAGE, page);
  const named = [...text.matchAll(/(?:src|href)="(\/(?:assets\/|icon)[^"]+)"/g)];
  await cache.addAll([CONFIG, ...named.map(([, path = '']) => path)]);
}

/** Asks for it again, and falls back on what was kept under the address. */
async function newest(request: Request, keptAs: string): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok && !response.redirected) await cache.put(keptAs, response.clone());
    return response;
  } catch (error) {
    const before = await cache.match(keptAs);
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
