import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { Language } from './languages.ts';
import { pageTexts } from './texts/de/pages.ts';

const MANIFEST = 'wallet.webmanifest';

/**
 * Builds the apps in a language: what asks for a file below `texts/en/` gets the one of the
 * language, and the pages and the manifest are written in it. A text of a page that has no
 * translation fails the build; one of an app does not compile.
 */
export function inLanguage(language: Language): Plugin {
  const isEnglish = language === 'en';
  const said = (text: string) => {
    if (isEnglish || text.trim() === '') return text;
    const translated = pageTexts[text.trim()];
    if (translated === undefined) throw new Error(`web/texts/de/pages.ts lacks: ${text.trim()}`);
    return text.replace(text.trim(), translated);
  };
  return {
    name: 'in-language',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (isEnglish || !/\/texts\/en\/[^/]+\.ts$/.test(source)) return null;
      const own = source.replace('/texts/en/', `/texts/${language}/`);
      return this.resolve(own, importer, { ...options, skipSelf: true });
    },
    transformIndexHtml: (page) =>
      page
        .replace('<html lang="en">', `<html lang="${language}">`)
        .replace(/(?<=>)[^<>]+(?=<)/g, said),
    generateBundle() {
      const manifest = readFileSync(new URL(`wallet/${MANIFEST}`, import.meta.url), 'utf8');
      const texts = /(?<="(?:name|short_name|description)": ")[^"]+/g;
      this.emitFile({ type: 'asset', fileName: MANIFEST, source: manifest.replace(texts, said) });
    },
  };
}
