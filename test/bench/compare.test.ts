import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { comparisonOf } from '../../bench/compare.ts';
import { takeTurns } from '../../bench/turns.ts';
import type { Running } from '../../bench/units.ts';
import { runMain } from '../support/run-main.ts';

/** Two services that do ten units a turn, and what each process has used of a meter so far. */
function services(journal: string[]) {
  const used = new Map([
    [1, 0],
    [2, 0],
  ]);
  const working = (pid: number, cost: number): Running => ({
    pids: [pid, pid, pid, 0],
    async work(turn) {
      journal.push(`${pid} ${turn}`);
      used.set(pid, (used.get(pid) ?? 0) + cost);
      return { units: 10, seconds: 2 };
    },
    verify: async () => void journal.push(`${pid} verify`),
    stop: async () => void journal.push(`${pid} stop`),
  });
  const meter = (pids: readonly number[]) => {
    const read = () => pids.map((pid) => used.get(pid) ?? 0);
    const before = read();
    return (units: number) => read().map((now, nth) => (now - (before[nth] ?? 0)) / units);
  };
  const running = new Map([
    ['base', working(1, 100)],
    ['change', working(2, 50)],
  ] as const);
  return { running, meter };
}

describe('takeTurns', () => {
  it('one after the other, in the opposite order every other time, then verifies', async () => {
    const journal: string[] = [];
    const { running, meter } = services(journal);
    const turns = await takeTurns(running, meter, { turns: 2, log: () => {} });
    expect(journal).toEqual([
      '1 warm',
      '2 warm',
      '1 turn-1',
      '2 turn-1',
      '2 turn-2',
      '1 turn-2',
      '1 verify',
      '1 stop',
      '2 verify',
      '2 stop',
    ]);
    const turn = { units: 10, seconds: 2, costs: [10, 10, 10, 0] };
    expect(turns.get('base')).toEqual([turn, turn]);
    expect(turns.get('change')?.[1]).toEqual({ ...turn, costs: [5, 5, 5, 0] });
  });
});

describe('comparisonOf', () => {
  const turnsOf = (...costs: number[][]) =>
    costs.map((each) => ({ units: 1, seconds: 1, costs: each }));

  it('the ratios of pairs, not that of the medians, for each process and all together', () => {
    const base = turnsOf([10, 20, 0, 30], [100, 200, 0, 300], [20, 40, 0, 60]);
    const change = turnsOf([5, 20, 0, 15], [60, 200, 0, 100], [20, 20, 0, 20]);
    const compared = comparisonOf(base, change);
    expect(compared.map(({ process }) => process)).toEqual([
      'API',
      'worker',
      'Temporal',
      'Postgres',
      'together',
    ]);
    const [api, worker, temporal, , together] = compared;
    expect(api).toEqual({
      process: 'API',
      base: { min: 10, median: 20, max: 100 },
      change: { min: 5, median: 20, max: 60 },
      ratio: { min: 0.5, median: 0.6, max: 1 },
    });
    expect(worker?.ratio).toEqual({ min: 0.5, median: 1, max: 1 });
    expect(temporal?.ratio.median).toBeNaN();
    expect(together?.base).toEqual({ min: 60, median: 120, max: 600 });
    expect(together?.ratio).toEqual({ min: 0.5, median: 0.6, max: 40 / 60 });
  });
});

const Spread = z.object({ min: z.number(), median: z.number(), max: z.number() });
const Report = z.object({
  sections: z.array(z.object({ key: z.string(), figures: z.record(z.string(), Spread) })),
});

describe.runIf(process.platform === 'linux')('npm run bench -- compare', () => {
  it('this checkout and its last commit, each with its own processes', async () => {
    const options = ['compare', '--quick', '--json', '--unit', 'asked-sale'];
    const { HOME, TEMPORAL_CLI_PATH } = process.env;
    const { ended } = runMain('bench/main.ts', { HOME, TEMPORAL_CLI_PATH }, options);
    const { status, stdout, stderr } = await ended;
    expect(status, stderr).toBe(0);
    const { sections } = Report.parse(JSON.parse(stdout));
    expect(sections.map(({ key }) => key)).toEqual(['asked-sale']);
    for (const { figures } of sections) {
      for (const process of ['api', 'worker', 'temporal', 'postgres', 'together']) {
        for (const of of ['base', 'change', 'ratio']) {
          expect(figures[`${process}.${of}`]?.median, `${process}.${of}`).toBeGreaterThan(0);
        }
      }
    }
  }, 300_000);
});
