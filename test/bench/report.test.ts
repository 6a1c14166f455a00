import { describe, expect, it } from 'vitest';
import {
  formatLatency,
  formatSection,
  formatSpread,
  ratioBar,
  verdictOn,
} from '../../bench/report.ts';

describe('verdictOn', () => {
  const spread = { min: 1, median: 2, max: 3 };
  it.each([
    { bar: { value: 2, atLeast: 2 }, verdict: 'reached', because: 'the bar itself counts' },
    { bar: { value: 1.99, atLeast: 2 }, verdict: 'missed', because: 'below the bar' },
    { bar: { value: 12, atMost: 12 }, verdict: 'reached', because: 'the bar itself counts' },
    { bar: { value: 12.1, atMost: 12 }, verdict: 'missed', because: 'above the bar' },
    { bar: { value: Number.NaN, atMost: 12 }, verdict: 'missed', because: 'nothing was measured' },
    { bar: { value: 2, spread, atLeast: 1.5 }, verdict: 'reached', because: 'its median does' },
    { bar: { value: 2, spread, atLeast: 2.5 }, verdict: 'unclear', because: 'one repetition does' },
    { bar: { value: 2, spread, atMost: 1.5 }, verdict: 'unclear', because: 'one repetition does' },
    { bar: { value: 2, spread, atLeast: 3.5 }, verdict: 'missed', because: 'no repetition does' },
  ])('$verdict for $bar: $because', ({ bar, verdict }) => {
    expect(verdictOn({ figure: 'a figure', ...bar })).toBe(verdict);
  });
});

describe('formatSection', () => {
  it('aligns the columns and marks each bar as reached or missed', () => {
    const text = formatSection({
      title: '1. Something',
      note: 'How it was measured.',
      columns: ['variant', 'per second'],
      rows: [
        ['the longest name', 12345.6],
        ['other', '1/2/3'],
      ],
      bars: [
        { figure: 'one ÷ other', value: 2.345, atLeast: 2 },
        { figure: 'milliseconds', value: 41, atMost: 40 },
      ],
    });
    expect(text.split('\n')).toEqual([
      '1. Something',
      'How it was measured.',
      '',
      '  variant           per second',
      '  ----------------  ----------',
      '  the longest name  12,346',
      '  other             1/2/3',
      '',
      '  reached  one ÷ other: 2.35 (bar ≥ 2)',
      '  MISSED  milliseconds: 41 (bar ≤ 40)',
    ]);
  });
});

describe('formatSpread', () => {
  it('min/median/max with three significant digits', () => {
    expect(formatSpread({ min: 0.123, median: 12.34, max: 1234.5 })).toBe('0.12/12.3/1,235');
  });
});

describe('formatLatency', () => {
  it('p50/p99 of the latencies', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(formatLatency(values)).toBe('50.5/99');
  });
});

describe('ratioBar', () => {
  it('the median of the ratios of repetitions that took turns, and their spread', () => {
    const bar = ratioBar(
      'ours ÷ theirs',
      [
        [10, 30, 12],
        [5, 10, 10],
      ],
      { atLeast: 1.5 },
    );
    expect(bar).toEqual({
      figure: 'ours ÷ theirs',
      value: 2,
      spread: { min: 1.2, median: 2, max: 3 },
      atLeast: 1.5,
    });
    expect(formatSection({ title: 't', note: 'n', columns: [], rows: [], bars: [bar] })).toContain(
      'reached  ours ÷ theirs: 1.2/2/3 (bar ≥ 1.5)',
    );
  });
});
