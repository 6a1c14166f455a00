import { describe, expect, it } from 'vitest';
import { keyed, peersIn } from '../../../bench/peers/figures.ts';

const spread = { min: 1, median: 2, max: 3 };

describe('keyed', () => {
  it('names every figure by engine, kind and figure, and is read back', () => {
    const peers = [
      { engine: 'temporal', kind: 'ours', figures: { 'credited-spread': spread } },
      { engine: 'pg-boss', kind: 'event', figures: { 'latency-p99': spread } },
      { engine: 'pg-boss', kind: 'flush', figures: { 'cpu-worker': spread } },
    ] as const;
    const figures = keyed(peers);
    expect(Object.keys(figures)).toEqual([
      'temporal.ours.credited-spread',
      'pg-boss.event.latency-p99',
      'pg-boss.flush.cpu-worker',
    ]);
    expect(peersIn(figures)).toEqual(peers);
  });
});

describe('peersIn', () => {
  it('leaves out what it does not know, as a later release may add', () => {
    expect(peersIn({ 'pg-boss.dozen.credited-spread': spread })).toEqual([]);
    const [peer] = peersIn({ 'pg-boss.event.memory': spread });
    expect(peer?.figures).toEqual({});
  });
});
