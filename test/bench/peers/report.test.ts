import knex from 'knex';
import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../bench/peers/figures.ts';
import type { Measured } from '../../../bench/peers/measure.ts';
import { sectionOf } from '../../../bench/peers/report.ts';
import { verdictOn } from '../../../bench/report.ts';

/** An engine that credited as many per second, repetition by repetition, in every burst. */
function measured(engine: string, kind: Kind, credited: number[]): Measured {
  return {
    contender: {
      engine,
      name: engine.toUpperCase(),
      kind,
      databaseUrl: '',
      db: knex({ client: 'pg' }),
      plans: [],
      start: () => Promise.reject(new Error('Nothing is started here.')),
    },
    values: new Map([
      ['credited-spread', credited],
      ['credited-one-tenant', credited],
      ['latency-p50', [2, 4, 3]],
      ['latency-p99', [9, 8, 7]],
      ['cpu-api', [100, 120, 110]],
      ['cpu-worker', [50, 60, 55]],
    ]),
  };
}

const all = [
  measured('temporal', 'ours', [1_000, 900, 1_100]),
  measured('loop', 'loop', [9_000, 9_000, 9_000]),
  measured('slow', 'event', [100, 100, 100]),
  measured('slow', 'flush', [800, 1_000, 900]),
  measured('quick', 'event', [600, 600, 600]),
  measured('quick', 'flush', [1_200, 1_000, 950]),
];

describe('sectionOf', () => {
  it('compares ours with the best peer per flush and each job per event, not the loop', () => {
    const bars = sectionOf(all, []).bars.map((bar) => [
      bar.figure,
      bar.value,
      bar.atLeast ?? bar.atMost,
      verdictOn(bar),
    ]);
    expect(bars).toEqual([
      ['CPU per event, ours ÷ SLOW', 1, 1.25, 'reached'],
      ['credited/s, 100 tenants, ours ÷ QUICK', 0.9, 0.85, 'reached'],
      ['credited/s, one tenant, ours ÷ QUICK', 0.9, 0.85, 'reached'],
      ['CPU per event, job per event, ours ÷ SLOW', 1, 0.2, 'missed'],
      ['CPU per event, job per event, ours ÷ QUICK', 1, 0.2, 'missed'],
    ]);
    const graphile = measured('graphile-worker', 'flush', [1, 1, 1]);
    expect(sectionOf([...all, graphile], []).bars.at(-1)).toMatchObject({
      figure: 'p50 at 20/s, ours ÷ GRAPHILE-WORKER',
      value: 1,
      atMost: 2.6,
    });
  });

  it('has the spread of every figure under its key', () => {
    expect(sectionOf(all, []).figures).toMatchObject({
      'temporal.ours.credited-spread': { min: 900, median: 1_000, max: 1_100 },
      'slow.flush.latency-p50': { min: 2, median: 3, max: 4 },
    });
  });

  it('adds up the processor time of the processes', () => {
    expect(sectionOf(all, []).rows[0]?.at(-1)).toBe('165 = api 110 + worker 55');
  });

  it('names who was left out, and why; without a peer there is nothing to compare', () => {
    const section = sectionOf(all.slice(0, 2), ['bullmq: there is no redis-server on the PATH']);
    expect(section.note).toContain('Left out: bullmq: there is no redis-server on the PATH');
    expect(section.bars).toEqual([]);
  });
});
