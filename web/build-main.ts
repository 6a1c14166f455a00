import { fileURLToPath } from 'node:url';
import { buildApps } from './build.ts';

await buildApps(fileURLToPath(new URL('dist', import.meta.url)));
