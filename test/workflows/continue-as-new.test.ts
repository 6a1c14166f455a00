import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../workflows/', import.meta.url);

// With which release a run goes on is in no history, so what is asked for is looked at here.
it('every workflow that continues as new goes on with the current release', () => {
  const continuing = readdirSync(FOLDER).filter((file) =>
    /\b(makeC|c)ontinueAsNew(Func)?\b/.test(readFileSync(new URL(file, FOLDER), 'utf8')),
  );
  // As an interceptor, the other one passes on what a workflow has asked for.
  expect(continuing).toEqual(['continue-as-new.ts', 'correlation.ts']);
  const text = readFileSync(new URL('continue-as-new.ts', FOLDER), 'utf8');
  expect(text).toContain("initialVersioningBehavior: 'AUTO_UPGRADE'");
});
