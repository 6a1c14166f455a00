import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Starts a real browser without a window. Fails with what to install where there is none. */
export async function startChromium(switches: readonly string[] = []): Promise<Browser> {
  const executablePath = PATHS.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      'No Chromium: install it (Debian: apt-get install chromium), or say in CHROMIUM where it is.',
    );
  }
  // Chromium refuses its own sandbox to root, which is who runs tests in containers.
  const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...own, ...switches] });
}
