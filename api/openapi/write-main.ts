import { writeFileSync } from 'node:fs';
import { OPENAPI_FILES, openApiText } from './file.ts';

for (const audience of ['apps', 'internal'] as const) {
  writeFileSync(OPENAPI_FILES[audience], openApiText(audience));
  process.stdout.write(`Written: ${OPENAPI_FILES[audience]}\n`);
}
