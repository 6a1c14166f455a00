import { Random } from '../../sandbox/providers/shared/random.ts';

const UINT32 = 2 ** 32;

export type Chance = {
  /** An integer from `least` up to and including `most`. */
  between(least: number, most: number): number;
  /** True with this probability. */
  hits(share: number): boolean;
  oneOf<const T>(items: readonly [T, ...T[]]): T;
  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
};

/** Chance that repeats itself: the same seed draws the same. */
export function chanceOf(seed: number): Chance {
  const random = new Random(seed);
  const share = () => random.next() / UINT32;
  const between = (least: number, most: number) => least + Math.floor(share() * (most - least + 1));
  return {
    between,
    hits: (probability) => share() < probability,
    oneOf: (items) => items[between(0, items.length - 1)] ?? items[0],
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>) {
      const names = namesOf(weights);
      const total = names.reduce((sum, name) => sum + weights[name], 0);
      let left = share() * total;
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      const [first] = names;
      if (first === undefined) throw new Error('There is nothing to choose from.');
      return first;
    },
  };
}

function namesOf<Name extends string>(weights: Readonly<Record<Name, number>>): Name[] {
  const names: Name[] = [];
  for (const name in weights) names.push(name);
  return names;
}
