import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Creates a temporary folder of mode 0700 for each test of the file, and removes it afterwards. */
export function useFolder(prefix: string): { readonly path: string } {
  const folder = { path: '' };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), prefix));
  });
  afterEach(() => {
    rmSync(folder.path, { recursive: true, force: true, maxRetries: 20 });
  });
  return folder;
}

/** Returns a function that takes what to stop after the test; the latest is stopped first. */
export function useStops(): (...stops: (() => Promise<void>)[]) => void {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });
  return (...more) => {
    stops.push(...more);
  };
}
