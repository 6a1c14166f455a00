import { msToNumber } from '@temporalio/common/lib/time.js';
import { describe, expect, it } from 'vitest';
import { TIMEOUTS } from '../../workflows/start-policies.ts';

describe('the execution timeouts', () => {
  it('a sweep outlives the runs that it waits for', () => {
    expect(msToNumber(TIMEOUTS.sweep)).toBeGreaterThan(msToNumber(TIMEOUTS.sweptIngest));
  });

  it('runs that mail outlive the day for which a mail is tried again', () => {
    for (const timeout of [TIMEOUTS.redemption, TIMEOUTS.notify]) {
      expect(msToNumber(timeout)).toBeGreaterThan(msToNumber('1 day'));
    }
  });

  it('a run that is stuck ends before the next day’s verification', () => {
    expect(msToNumber(TIMEOUTS.verify)).toBeLessThan(msToNumber('1 day'));
  });
});
