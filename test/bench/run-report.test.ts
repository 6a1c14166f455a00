import { describe, expect, it } from 'vitest';
import { formatOthers, isBusy, type Machine } from '../../bench/machine.ts';
import { startReport } from '../../bench/run-report.ts';

const machine: Machine = {
  cpu: 'A processor',
  cores: 2,
  memoryGib: 7.75,
  system: 'Linux 6.1',
  node: 'v24.1.0',
  isWithoutLoader: true,
  postgres: '18.4',
  temporal: '1.8.2 (Server 1.31.2)',
  commit: 'abcdef0',
  isModified: false,
  startedAt: '2026-01-15T10:00:00.000Z',
  loadAverage: 0.25,
  othersBefore: 0.01,
};
const terms = { command: 'intake', quick: true, scale: 1, parts: [] };
const section = { key: 'one', title: 'One', note: 'Note.', columns: ['a'], rows: [[1]] };

describe('isBusy', () => {
  it.each([
    { shares: [0, 0.05], busy: false, because: 'others used a small share' },
    { shares: [0.01, 0.2], busy: true, because: 'others used more in one part' },
    { shares: [Number.NaN], busy: false, because: 'nothing is known' },
  ])('$busy: $because', ({ shares, busy }) => {
    expect(isBusy(shares)).toBe(busy);
  });
});

describe('formatOthers', () => {
  it('says plainly that the figures of a busy machine are not to be written down', () => {
    expect(formatOthers([0.02, 0.31])).toBe(
      'other programs used at most 31.0 % of the machine (busy machine: not to be written down)',
    );
    expect(formatOthers([0.02])).toBe('other programs used 2.0 % of the machine');
    expect(formatOthers([0.31, Number.NaN])).toContain('31.0 % of the machine (busy');
    expect(formatOthers([Number.NaN])).toBe('it is unknown what other programs used');
  });
});

describe('startReport', () => {
  it('the machine first, then each section, and whether the machine was busy', () => {
    const texts: string[] = [];
    const report = startReport({ ...machine, othersBefore: 0.5 }, terms, (text) =>
      texts.push(text),
    );
    expect(texts[0]?.split('\n')).toEqual([
      'A processor, 2 cores, 7.8 GiB, Linux 6.1',
      'Node v24.1.0 without a loader, PostgreSQL 18.4, Temporal 1.8.2 (Server 1.31.2)',
      'Commit abcdef0, 2026-01-15T10:00:00.000Z',
      'Before: load average 0.25; other programs used 50.0 % of the machine ' +
        '(busy machine: not to be written down)',
    ]);
    report.print({ ...section, bars: [{ figure: 'x', value: 1, atMost: 2 }] });
    expect(texts[1]).toContain('reached  x: 1');
    expect(report.end()).toMatchObject({
      ...terms,
      format: 1,
      busy: true,
      machine: { commit: 'abcdef0' },
      sections: [{ key: 'one', rows: [[1]], bars: [{ figure: 'x', verdict: 'reached' }] }],
    });
    expect(texts[2]).toContain('not to be written down');
  });
});
