import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtApps } from '../../web/build.ts';
import { LANGUAGES } from '../../web/languages.ts';
import { APPS } from '../../web/policy.ts';

let folder: string;
beforeAll(async () => {
  folder = await builtApps();
});
const filesIn = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const textOf = (path: string) => readFileSync(join(folder, path), 'utf8');

describe('the built apps', () => {
  it('are built once for the same sources, whoever asks at the same moment', async () => {
    expect(new Set(await Promise.all([builtApps(), builtApps()]))).toEqual(new Set([folder]));
  });

  const pages = LANGUAGES.flatMap((language) => APPS.map((app) => ({ language, app })));

  it.each(pages)('$language/$app has a page without scripts or styles of its own', (its) => {
    const { language, app } = its;
    const page = textOf(`${language}/${app}/index.html`);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(path).toMatch(/^\//);
      expect(existsSync(join(folder, language, path)), path).toBe(true);
    }
  });

  it('have each file compressed beside it, as it is', () => {
    const compressed = filesIn().filter((file) => file.endsWith('.gz'));
    expect(compressed.length).toBeGreaterThan(8);
    for (const file of compressed) {
      const plain = readFileSync(file.replace(/\.gz$/, ''));
      expect(gunzipSync(readFileSync(file)).equals(plain)).toBe(true);
    }
  });

  it('name no other host', () => {
    const texts = filesIn().filter((file) => /\.(css|html|webmanifest)$/.test(file));
    for (const file of texts) expect(readFileSync(file, 'utf8'), file).not.toMatch(/https?:\/\//);
  });

  it.each([
    ['en', 'My points'],
    ['de', 'Meine Punkte'],
  ])(
    'can be installed: the wallet in %s has a manifest with icons that exist',
    (language, name) => {
      const manifest = JSON.parse(textOf(`${language}/wallet.webmanifest`));
      expect(manifest).toMatchObject({ name, start_url: '/wallet/', display: 'standalone' });
      for (const { src } of manifest.icons)
        expect(existsSync(join(folder, language, src))).toBe(true);
      expect(existsSync(join(folder, language, 'wallet/worker.js'))).toBe(true);
    },
  );
});
