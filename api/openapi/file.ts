import { fileURLToPath } from 'node:url';
import { version } from '../package-info.ts';
import { namedRoutes } from '../routes/index.ts';
import { describeApi } from './document.ts';
import type { Audience } from './tags.ts';

/** The committed copies of the documents: a change of the API shows up in the diff of them. */
export const OPENAPI_FILES: Readonly<Record<Audience, string>> = {
  apps: fileURLToPath(new URL('openapi.json', import.meta.url)),
  internal: fileURLToPath(new URL('openapi-internal.json', import.meta.url)),
};

/** The text that a committed copy must have: the document as it is served, one value a line. */
export function openApiText(audience: Audience): string {
  return `${JSON.stringify(describeApi(namedRoutes, { version, audience }), null, 1)}\n`;
}
