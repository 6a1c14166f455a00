import { fileURLToPath } from 'node:url';
import { version } from '../package-info.ts';
import { routes } from '../routes/index.ts';
import { describeApi } from './document.ts';

/** The committed copy of the document: a change of the API shows up in the diff of this file. */
export const OPENAPI_FILE = fileURLToPath(new URL('../../openapi.json', import.meta.url));

/** The text that the committed copy must have: the document as it is served, pretty-printed. */
export function openApiText(): string {
  return `${JSON.stringify(describeApi(routes, version), null, 2)}\n`;
}
