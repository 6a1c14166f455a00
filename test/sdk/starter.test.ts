import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { startChromium } from '../../sandbox/processes/chromium.ts';
import { inBrowser } from '../support/http/browser.ts';
import { SOON } from '../web/screens.ts';
import { useShop } from '../web/shop.ts';
import { type BuiltPackage, buildPackage, compile, ROOT } from './built-package.ts';
import { type PageServer, startPageServer } from './page-server.ts';

// The app that others begin with, built and used as they do.

const execute = promisify(execFile);
const NEEDED = ['lean-qr', 'oidc-client-ts', 'jwt-decode'];
const Versions = z.record(z.string(), z.string());
const Manifest = z.object({ dependencies: Versions, devDependencies: Versions });
const manifestOf = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(ROOT, folder, 'package.json'), 'utf8')));

const shop = await useShop();
let built: BuiltPackage;
let pages: PageServer;
let browser: Browser;
beforeAll(async () => {
  built = await buildPackage();
  await cp(join(ROOT, 'sdk/starter'), built.folder, { recursive: true });
  const page = join(built.folder, 'index.html');
  const text = await readFile(page, 'utf8');
  await writeFile(page, text.replace('http://127.0.0.1:3000', shop.app.url));
  for (const name of NEEDED) {
    await symlink(join(ROOT, 'node_modules', name), join(built.folder, 'node_modules', name));
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  await execute(process.execPath, [vite, 'build'], { cwd: built.folder });
  pages = await startPageServer({ pages: join(built.folder, 'dist'), sdk: built.path });
  browser = await startChromium();
});
afterAll(async () => {
  await browser?.close();
  await pages?.close();
  await built.remove();
});

describe('the starter', inBrowser, () => {
  it('is of a hundred lines at most, whose types are right', async () => {
    const lines = (await readFile(join(ROOT, 'sdk/starter/main.js'), 'utf8')).split('\n');
    expect(lines.length).toBeLessThanOrEqual(101);
    const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const args = [...bundler, '--lib', 'es2022,dom,dom.iterable', '--allowJs', '--skipLibCheck'];
    expect(await compile(built.folder, [...args, 'main.js'])).toBe('');
  });

  it('has the versions that the apps of the repository have', async () => {
    const [own, root] = [await manifestOf('sdk/starter'), await manifestOf('.')];
    const named = { ...own.dependencies, ...own.devDependencies };
    for (const [name, version] of Object.entries(named)) {
      expect(root.devDependencies[name], name).toBe(version);
    }
  });

  it('signs a customer in, lists the wallets, and has a code until the till takes it', async () => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 1_250 });
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    const seen = () => page.getByRole('main').innerText();
    await page.goto(`${pages.url}/index.html`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in as Ada Byron' }).click();
    await expect.poll(seen, SOON).toContain('Corner Café: 1250 points, worth €12.50');
    await page.getByRole('button', { name: 'Get a code' }).click();
    await expect.poll(seen, SOON).toMatch(/[0-9A-F]{12}, until .* Show it at the till\./);
    const [code = ''] = /[0-9A-F]{12}/.exec(await seen()) ?? [];
    await shop.as('operator').completeRedemption({ body: { code } });
    await expect.poll(seen, SOON).not.toContain(code);
    await expect.poll(seen, SOON).toContain('Corner Café: 0 points');
    expect(complaints).toEqual([]);
  });
});
