import { writeFileSync } from 'node:fs';
import { OPENAPI_FILE, openApiText } from './file.ts';

writeFileSync(OPENAPI_FILE, openApiText());
process.stdout.write(`Written: ${OPENAPI_FILE}\n`);
