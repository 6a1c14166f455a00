import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import {
  ageOf,
  COVERED_POLLS_NEEDED,
  coveredPollsAfter,
  findingOf,
  isBackup,
  NO_SIGHTINGS,
  type PollFinding,
  pollIntervalMs,
  pollsPerSecond,
  sightingsAfter,
} from '../../domain/poll-cadence.ts';

const now = new Date('2026-01-01T12:00:00Z');
const since = new Date('2026-01-01T11:55:00Z');
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);

describe('ageOf', () => {
  it.each([
    { seconds: -60, age: 'fresh', because: 'the clock of alpha may be ahead' },
    { seconds: 119, age: 'fresh', because: 'its webhook may be on its way' },
    { seconds: 120, age: 'new', because: 'its webhook should have arrived' },
    { seconds: 299, age: 'new', because: 'it is after the last poll' },
    { seconds: 300, age: 'repeated', because: 'the last poll came as far' },
  ])('a sale of $seconds seconds ago is $age: $because', ({ seconds, age }) => {
    expect(ageOf(secondsAgo(seconds), { since, now })).toBe(age);
  });
});

describe('sightingsAfter', () => {
  const counts = { ...NO_COUNTS, credited: 1, stored_anonymous: 2, duplicate: 4, ignored: 8 };
  it.each([
    { age: 'fresh', sightings: { missed: 0, known: 0 } },
    { age: 'new', sightings: { missed: 3, known: 4 } },
    { age: 'repeated', sightings: { missed: 3, known: 0 } },
  ] as const)('counts $age sales', ({ age, sightings }) => {
    expect(sightingsAfter(NO_SIGHTINGS, age, counts)).toEqual(sightings);
  });
});

describe('findingOf', () => {
  it.each([
    { missed: 1, known: 9, isComplete: true, hasEvents: true, finding: 'trouble' },
    { missed: 0, known: 9, isComplete: false, hasEvents: true, finding: 'trouble' },
    { missed: 0, known: 9, isComplete: true, hasEvents: false, finding: 'nothing' },
    { missed: 0, known: 0, isComplete: true, hasEvents: true, finding: 'nothing' },
    { missed: 0, known: 1, isComplete: true, hasEvents: true, finding: 'covered' },
  ] as const)('$missed missed, $known known: $finding', ({ missed, known, finding, ...poll }) => {
    expect(findingOf({ missed, known }, poll)).toBe(finding);
  });
});

const findings = fc.array(fc.constantFrom<PollFinding>('trouble', 'covered', 'nothing'));
const coveredAfter = (list: readonly PollFinding[]) => list.reduce(coveredPollsAfter, 0);
const intervals = { base: 300, backup: 3600 };

describe('coveredPollsAfter', () => {
  it('the poll is a backup exactly after enough covered polls since the last trouble', () => {
    fc.assert(
      fc.property(findings, (list) => {
        const sinceTrouble = list.slice(list.lastIndexOf('trouble') + 1);
        const covered = sinceTrouble.filter((finding) => finding === 'covered').length;
        expect(isBackup(coveredAfter(list))).toBe(covered >= COVERED_POLLS_NEEDED);
      }),
    );
  });

  it('trouble returns to the base interval at once, whatever was before', () => {
    fc.assert(
      fc.property(findings, (list) => {
        expect(pollIntervalMs(coveredAfter([...list, 'trouble']), intervals)).toBe(300_000);
      }),
    );
  });
});

describe('pollIntervalMs', () => {
  it('is six times as long once backups have missed nothing for 24 polls, until one does', () => {
    const covered = (count: number): PollFinding[] => [
      ...Array.from({ length: 3 }, () => 'covered' as const),
      ...Array.from({ length: count }, (_, nth) => (nth % 2 === 0 ? 'nothing' : 'covered')),
    ];
    const intervalOf = (list: PollFinding[]) => pollIntervalMs(coveredAfter(list), intervals);
    expect(intervalOf(covered(23))).toBe(3_600_000);
    expect(intervalOf(covered(24))).toBe(21_600_000);
    expect(intervalOf(covered(500))).toBe(21_600_000);
    expect(intervalOf([...covered(500), 'trouble'])).toBe(300_000);
    expect(intervalOf([...covered(500), 'trouble', ...covered(0)])).toBe(3_600_000);
    const same = { base: 300, backup: 300 };
    expect(pollIntervalMs(coveredAfter(covered(500)), same)).toBe(300_000);
  });

  it('is never shorter than the base', () => {
    expect(pollIntervalMs(COVERED_POLLS_NEEDED, intervals)).toBe(3_600_000);
    expect(pollIntervalMs(COVERED_POLLS_NEEDED, { base: 300, backup: 60 })).toBe(300_000);
    expect(pollIntervalMs(COVERED_POLLS_NEEDED - 1, intervals)).toBe(300_000);
  });
});

describe('pollsPerSecond', () => {
  it.each([
    { connections: 0, rate: 10 },
    { connections: 1_500, rate: 10 },
    { connections: 30_000, rate: 200 },
    { connections: 100_000, rate: 500 },
  ])('$rate for $connections connections', ({ connections, rate }) => {
    expect(pollsPerSecond(connections, { baseSeconds: 300, most: 500 })).toBe(rate);
  });
});
