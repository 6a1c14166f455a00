import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The page of components, for whoever works on the apps: the sandbox has it, no installation. */
export default defineConfig({
  root: here('..'),
  publicDir: false,
  logLevel: 'warn',
  build: {
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: here('index.html') },
  },
});
