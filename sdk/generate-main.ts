import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generate.ts';

for (const [path, text] of await generatedFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`Written: ${path}\n`);
}
