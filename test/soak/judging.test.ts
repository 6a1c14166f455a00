import { describe, expect, it } from 'vitest';
import { judge } from './judging.ts';
import type { Sample } from './sampling.ts';

const EVERY_SECONDS = 10;

/** Samples of so many minutes, each as the service looks while nothing happens, with changes. */
function samplesOf(minutes: number, change: (seconds: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: (minutes * 60) / EVERY_SECONDS + 1 }, (_, nth) => {
    const seconds = nth * EVERY_SECONDS;
    return { ...steady(seconds), ...change(seconds) };
  });
}

function steady(seconds: number): Sample {
  const figures = { mib: 150, files: 40, life: 1 };
  return {
    seconds,
    isDisturbed: false,
    processes: { api: figures, worker: { ...figures, mib: 200 } },
    database: {
      backlog: 2,
      stalled: 0,
      connections: 20,
      databaseMib: 50 + seconds / 10,
      queueMib: 3,
      walletsMib: 1,
    },
    openRuns: 300,
    acknowledged: seconds * 10,
    webhooks: { count: 50, p50: 8, p99: 40 },
    credits: { count: 50, p50: 90, p99: 300 },
    othersShare: 0.5,
  };
}

/** The lines that did not pass, by their verdicts. */
function notPassed(samples: readonly Sample[]): Record<string, string> {
  const { lines } = judge(samples);
  const rest = lines.filter(({ verdict }) => verdict !== 'passed');
  return Object.fromEntries(rest.map(({ name, verdict }) => [name, verdict]));
}

const api = (mib: number, life = 1) => ({ mib, files: 40, life });

describe('judge', () => {
  it('passes a steady service', () => {
    expect(notPassed(samplesOf(40, () => ({})))).toEqual({});
  });

  it('finds a leak in the life of one process', () => {
    const leaking = samplesOf(40, (seconds) => ({ processes: { api: api(150 + seconds / 60) } }));
    expect(notPassed(leaking)).toMatchObject({ 'memory of the api': 'failed' });
  });

  it('finds a leak although the process is killed halfway', () => {
    const leaking = samplesOf(60, (seconds) => {
      const life = seconds < 1_800 ? 1 : 2;
      return { processes: { api: api(150 + (seconds % 1_800) / 30, life) } };
    });
    expect(notPassed(leaking)).toMatchObject({ 'memory of the api': 'failed' });
  });

  it('does not take the larger memory of a later life for a leak', () => {
    const killed = samplesOf(60, (seconds) => ({
      processes: { ...steady(0).processes, api: seconds < 1_800 ? api(150) : api(190, 2) },
    }));
    expect(notPassed(killed)).toEqual({});
  });

  it('does not judge the memory of short lives', () => {
    const killedOften = samplesOf(40, (seconds) => ({
      processes: {
        ...steady(0).processes,
        api: api(100 + (seconds % 300), Math.floor(seconds / 300)),
      },
    }));
    expect(notPassed(killedOften)).toEqual({
      'memory of the api': 'not judged',
      'open files of the api': 'not judged',
    });
  });

  it.each([
    ['backlog', (seconds: number) => database({ backlog: seconds / 20 })],
    [
      'connections to the database',
      (seconds: number) => database({ connections: 10 + seconds / 200 }),
    ],
    ['size of the queue of events', (seconds: number) => database({ queueMib: seconds / 300 })],
    ['open runs', (seconds: number) => ({ openRuns: 100 + seconds / 10 })],
    [
      'sale credited, median',
      (seconds: number) => ({
        credits: { count: 9, p50: 50 + seconds ** 2 / 4_000, p99: 9_000 },
      }),
    ],
  ])('finds drift: %s', (name, change) => {
    expect(notPassed(samplesOf(40, change))).toEqual({ [name]: 'failed' });
  });

  it('leaves out what faults do to anything but memory', () => {
    const faulty = samplesOf(40, (seconds) => {
      const isDisturbed = seconds > 1_600 && seconds % 60 < 40;
      return isDisturbed ? { isDisturbed, ...database({ backlog: 900 }) } : {};
    });
    expect(notPassed(faulty)).toEqual({});
  });

  it('judges nothing of a run that is too short', () => {
    const verdicts = judge(samplesOf(5, () => ({}))).lines.map(({ verdict }) => verdict);
    expect(new Set(verdicts)).toEqual(new Set(['not judged']));
  });
});

function database(figures: Partial<Sample['database']>): Partial<Sample> {
  const usual = steady(0).database;
  return usual === undefined ? {} : { database: { ...usual, ...figures } };
}
