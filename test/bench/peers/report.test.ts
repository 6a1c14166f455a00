import knex from 'knex';
import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../bench/peers/figures.ts';
import type { Measured } from '../../../bench/peers/measure.ts';
import { sectionOf } from '../../../bench/peers/report.ts';
import { isReached } from '../../../bench/report.ts';

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
  it('compares ours with the fastest peer and with every job per event, not with the loop', () => {
    const { bars } = sectionOf(all, []);
    const overTenants = bars.filter(({ figure }) => figure.endsWith('100 tenants'));
    expect(overTenants.map((bar) => [bar.figure, bar.value, bar.atLeast, isReached(bar)])).toEqual([
      ['ours ÷ best peer (QUICK, job per flush), 100 tenants', 0.9, 1, false],
      ['ours ÷ SLOW, job per event, 100 tenants', 10, 2, true],
      ['ours ÷ QUICK, job per event, 100 tenants', 1_000 / 600, 2, false],
    ]);
    expect(bars).toHaveLength(2 * overTenants.length);
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
