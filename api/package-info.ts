import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** The name and the version of this service, as package.json says them. */
export const { name, version } = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(packageJson));
