import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { clockAhead } from './clock.ts';

const PRINT = `
  const made = new Date();
  console.log(JSON.stringify({
    now: Date.now(),
    made: made.getTime(),
    isDate: made instanceof Date && new Date(5) instanceof Date,
    given: new Date(5).getTime(),
    parsed: Date.parse('1970-01-01T00:00:01Z'),
    utc: Date.UTC(1970, 0, 2),
    text: typeof Date(),
    named: (class Later extends Date {}).name,
    later: new (class Later extends Date {})(7).getTime(),
  }));
`;

describe('clockAhead', () => {
  it.each([180_000, -45_000])('moves the clock of a process by %i milliseconds', (aheadMs) => {
    const env = { PATH: process.env.PATH, ...clockAhead(aheadMs) };
    const seen = JSON.parse(execFileSync(process.execPath, ['-e', PRINT], { env }).toString());
    const passed = Date.now() + aheadMs - seen.now;
    expect(Math.abs(passed)).toBeLessThan(20_000);
    expect(seen.made - seen.now).toBeLessThan(1_000);
    expect(seen).toMatchObject({ isDate: true, given: 5, parsed: 1_000, utc: 86_400_000 });
    expect(seen).toMatchObject({ text: 'string', named: 'Later', later: 7 });
  });
});
