import type { TestOptions } from 'vitest';
import { ensureChromium } from '../../../sandbox/processes/chromium.ts';
import { needsWhatIsMissing } from '../needs.ts';

/** Options that skip tests in a browser where none is installed, and none can be fetched. */
export const inBrowser: TestOptions = await ensureChromium().then(
  () => ({}),
  (error: Error) => needsWhatIsMissing(`a browser. ${error.message}`),
);
