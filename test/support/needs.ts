import { delimiter, join } from 'node:path';
import type { TestOptions } from 'vitest';
import { isExecutable } from '../../sandbox/processes/versions.ts';

/** Programs that not every machine has, with what installs them. */
const SOURCES = {
  'docker-compose': 'apt-get install docker-compose',
  go: 'https://go.dev/dl',
  nginx: 'apt-get install nginx-light',
  'prometheus-alertmanager': 'apt-get install prometheus-alertmanager',
  promtool: 'apt-get install prometheus',
};
export type Program = keyof typeof SOURCES;

declare module 'vitest' {
  interface TaskMeta {
    /** What this machine lacks, which is why the test is skipped. */
    missing?: string;
  }
}

/** Options that skip a test or a `describe` where the program is missing, which the run tells. */
export function needs(program: Program): TestOptions {
  if (pathOf(program) !== undefined) return {};
  return needsWhatIsMissing(`${program} (${SOURCES[program]})`);
}

/** Options that skip a test for want of what it says, which the run tells at its end. */
export function needsWhatIsMissing(missing: string): TestOptions {
  return { skip: true, meta: { missing } };
}

/** Returns where a program is that one may have, also one for administrators. */
export function pathOf(program: Program): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}
