import type { Options } from '../options.ts';
import type { Section } from '../report.ts';
import type { Testbed } from '../testbed.ts';
import { measureConfirming } from './confirming.ts';
import { measureCrediting } from './crediting.ts';
import { measureDraining } from './draining.ts';
import { measureJobs } from './jobs.ts';
import { measureLists } from './lists.ts';
import { openPair, type Pair } from './pair.ts';
import { largeSize, type Size, SMALL } from './sizes.ts';
import { measureVerifying } from './verifying.ts';

type Measure = (testbed: Testbed, pair: Pair, options: Options) => Promise<Section>;

/**
 * Parts that compare the two built databases, by number. The lists see them as they were built, and
 * the verification of what moved is not of what other parts have moved in the minutes before.
 */
const OF_PAIR: ReadonlyArray<readonly [number, Measure]> = [
  [1, measureLists],
  [4, measureVerifying],
  [2, measureCrediting],
  [3, measureConfirming],
];

/** Parts with databases of their own. */
const OTHERS: ReadonlyArray<
  readonly [number, (testbed: Testbed, options: Options) => Promise<Section>]
> = [
  [5, measureJobs],
  [6, measureDraining],
];

/** Returns which built databases the parts copy. */
export function keptFor(parts: readonly number[], scale: number): Size[] {
  const isWanted = parts.length === 0 || OF_PAIR.some(([part]) => parts.includes(part));
  return isWanted ? [SMALL, largeSize(scale)] : [];
}

/**
 * Measures what must not grow with the whole, part by part, and prints the section of each part as
 * soon as it is complete. Returns all sections.
 */
export async function runLarge(testbed: Testbed, options: Options): Promise<Section[]> {
  const sections: Section[] = [];
  const report = (section: Section) => {
    sections.push(section);
    options.print(section);
  };
  const isWanted = ([part]: readonly [number, unknown]) =>
    options.parts.length === 0 || options.parts.includes(part);

  const ofPair = OF_PAIR.filter(isWanted);
  if (ofPair.length > 0) {
    const pair = await openPair(testbed, options.scale);
    for (const [, measure] of ofPair) report(await measure(testbed, pair, options));
  }
  for (const [, measure] of OTHERS.filter(isWanted)) report(await measure(testbed, options));
  return sections;
}
