import { describe, expect, it } from 'vitest';
import { Chaos, ChaosDial } from '../../../../sandbox/providers/shared/chaos.ts';

function drawn(dial: ChaosDial, about: string, times = 200): boolean[] {
  return Array.from({ length: times }, () => dial.hits('drop', about));
}

describe('ChaosDial', () => {
  it('is off until it is set, and after it is set to nothing', () => {
    const dial = new ChaosDial(1);
    expect(drawn(dial, 'x')).not.toContain(true);
    dial.set({ drop: 1, clockSkew: 1 });
    expect(drawn(dial, 'x')).not.toContain(false);
    dial.set({});
    expect(drawn(dial, 'x')).not.toContain(true);
    expect(dial.skewMs()).toBe(0);
  });

  it('hits with about the probability that is set', () => {
    const dial = new ChaosDial(1);
    dial.set({ drop: 0.2 });
    const hits = drawn(dial, 'x', 5000).filter(Boolean).length;
    expect(hits).toBeGreaterThan(900);
    expect(hits).toBeLessThan(1100);
  });

  it('draws the same for the same seed, regardless of other draws', () => {
    const draws = (seed: number, others: number) => {
      const dial = new ChaosDial(seed);
      dial.set({ drop: 0.5 });
      drawn(dial, 'other', others);
      return drawn(dial, 'x');
    };
    expect(draws(1, 0)).toEqual(draws(1, 17));
    expect(draws(1, 0)).not.toEqual(draws(2, 0));
  });

  it('restarts its draws when it is set again', () => {
    const dial = new ChaosDial(1);
    dial.set({ drop: 0.5 });
    const first = drawn(dial, 'x');
    dial.set({ drop: 0.5 });
    expect(drawn(dial, 'x')).toEqual(first);
  });

  it('skews the clock by a part of a minute, in a direction decided by the seed', () => {
    const skews = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const dial = new ChaosDial(seed);
      dial.set({ clockSkew: 0.1 });
      return dial.skewMs();
    });
    expect(new Set(skews)).toEqual(new Set([-6000, 6000]));
  });

  it.each([{ drop: 1.1 }, { drop: -0.1 }, { unknown: 0.5 }])('refuses %o', (chaos) => {
    expect(Chaos.safeParse(chaos).success).toBe(false);
  });
});
