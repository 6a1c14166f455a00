import { expect, it } from 'vitest';
import { showSteps } from '../../../gateways/terminal/steps.ts';

const step = { name: '0034_report_indexes', nth: 34, of: 78 };

/** What a terminal shows of one step. */
function shown(at: Parameters<ReturnType<typeof showSteps>['at']>[0], isTTY = true): string[] {
  const written: string[] = [];
  const steps = showSteps({ isTTY, write: (text) => written.push(text) });
  steps.at(at);
  steps.end();
  return written;
}

it.each([
  [undefined, '0034_report_indexes, 34 of 78: 0 s'],
  [
    { phase: 'waiting for old snapshots', unit: 'rows', done: 0, total: 0 },
    '0034_report_indexes, 34 of 78, waiting for old snapshots',
  ],
  [
    { phase: 'building index: scanning table', unit: 'blocks', done: 0, total: 400 },
    '0034_report_indexes, 34 of 78, building index: scanning table: 0 of about 400 blocks (0 %)',
  ],
])('of %o', (work, text) => {
  const [first = '', last] = shown({ ...step, work });
  expect(first.replace('\r\x1b[K', '')).toContain(text);
  expect(last).toBe('\r\x1b[K');
});

it('writes nothing into a pipe', () => {
  expect(shown(step, false)).toEqual([]);
});
