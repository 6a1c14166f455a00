import { describe, expect, it } from 'vitest';
import { generate } from './generate.ts';
import { shrink } from './shrink.ts';
import { FAULTS, Step } from './steps.ts';

const KINDS = Step.options.map(({ shape }) => shape.do.value);

/** Plays candidates by a rule instead of a service, and counts them. */
function failingIf<T>(fails: (items: readonly T[]) => boolean) {
  const counts = { played: 0 };
  const firstFailing = async (candidates: readonly (readonly T[])[]) => {
    counts.played += candidates.length;
    return candidates.find(fails);
  };
  return { firstFailing, counts };
}

describe('shrink', () => {
  it('leaves the only items that make a list fail, in their order', async () => {
    const items = Array.from({ length: 100 }, (_, nth) => nth);
    const wanted = [3, 41, 42, 97];
    const { firstFailing, counts } = failingIf<number>((list) =>
      wanted.every((item) => list.includes(item)),
    );
    expect(await shrink(items, firstFailing)).toEqual(wanted);
    expect(counts.played).toBeLessThan(200);
  });

  it('leaves a list from which no item can be left out', async () => {
    const items = [...'aabbccddeeff'];
    const fails = (list: readonly string[]) => list.length % 2 === 0 && list.length >= 4;
    const { firstFailing } = failingIf(fails);
    const shortest = await shrink(items, firstFailing);
    expect(fails(shortest)).toBe(true);
    expect(shortest.map((_, nth) => fails(shortest.filter((_item, at) => at !== nth)))).toEqual(
      shortest.map(() => false),
    );
  });

  it('keeps a list of which every item is needed', async () => {
    const { firstFailing } = failingIf<number>((list) => list.length === 5);
    expect(await shrink([1, 2, 3, 4, 5], firstFailing)).toEqual([1, 2, 3, 4, 5]);
  });

  it('finds the three steps of a planted defect in a history of two hundred', async () => {
    const planted: Step[] = [
      {
        do: 'sale',
        sale: 'planted',
        provider: 'alpha',
        buyer: { email: 'eve.0', phone: null },
        amount: 100,
        tip: 0,
        currency: 'USD',
        isPending: false,
        isLost: false,
        isOld: false,
      },
      { do: 'refund', sale: 'planted', share: 1 },
      { do: 'sign-in', person: 'eve', email: 'eve.0', phone: null, isVerified: true },
    ];
    const policies = { expiredCodes: 'refund', refunds: 'reverse' } as const;
    const { steps } = generate({ seed: 5, steps: 200, faults: 3, policies });
    const [sale, refund, signIn] = planted;
    const places = [20, 90, 170];
    const history = steps.flatMap((step, nth) =>
      [step, ...planted.slice(places.indexOf(nth))].slice(0, places.includes(nth) ? 2 : 1),
    );
    // A service that forgets the refund of a sale whose customer signs up only later.
    const { firstFailing } = failingIf<Step>((list) => {
      const [first, second, third] = [sale, refund, signIn].map((step) =>
        step === undefined ? -1 : list.indexOf(step),
      );
      return (
        first !== undefined && first >= 0 && first < (second ?? 0) && (second ?? 0) < (third ?? 0)
      );
    });
    expect(await shrink(history, firstFailing)).toEqual(planted);
  });
});

describe('generate', () => {
  const policies = { expiredCodes: 'refund', refunds: 'reverse' } as const;

  it('draws the same history from the same seed, and another one from another', () => {
    const draw = (seed: number) => generate({ seed, steps: 50, faults: 2, policies });
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7).steps).not.toEqual(draw(8).steps);
  });

  it('draws every kind of step', () => {
    const { steps } = generate({ seed: 1, steps: 3_000, faults: 100, policies });
    expect(new Set(steps.map((step) => step.do))).toEqual(new Set(KINDS));
    const faults = steps.flatMap((step) => (step.do === 'fault' ? [step.fault] : []));
    expect(new Set(faults)).toEqual(new Set(FAULTS));
  });
});
