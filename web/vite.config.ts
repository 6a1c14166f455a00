import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { languageOf } from './languages.ts';
import { APPS } from './policy.ts';
import { inLanguage } from './translate.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Four pages that share their code, with nothing written into the pages, which CSP forbids. The
 * mode is the language.
 */
export default defineConfig(({ mode }) => ({
  root: here('.'),
  logLevel: 'warn',
  plugins: [inLanguage(languageOf({ 'accept-language': mode }))],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // Small files as addresses of their own: the policy allows no data in their place.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        start: here('index.html'),
        ...Object.fromEntries(APPS.map((app) => [app, here(`${app}/index.html`)])),
        'wallet-worker': here('service-worker/wallet.ts'),
      },
      output: {
        // A service worker's address must not change, and be above what it serves.
        entryFileNames: ({ name }) =>
          name === 'wallet-worker' ? 'wallet/worker.js' : 'assets/[name]-[hash].js',
      },
    },
  },
}));
