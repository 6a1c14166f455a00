import { describe, expect, it, vi } from 'vitest';
import { createThrottledWarning } from '../../../api/background/throttled-warning.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';

describe('createThrottledWarning', () => {
  it('warns once a second, and counts what it leaves out', () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', service: 'test' }, { write: (it) => lines.push(it) });
    const warn = createThrottledWarning(log, 'It failed');
    for (const what of ['first', 'second', 'third']) warn({ what });
    vi.advanceTimersByTime(1_001);
    warn({ what: 'fourth' });
    vi.useRealTimers();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'It failed', what: 'first', othersSince: 0 },
      { msg: 'It failed', what: 'fourth', othersSince: 2 },
    ]);
  });
});
