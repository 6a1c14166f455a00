import type { Section } from './report.ts';

/** What a run of the benchmark measures, and how long. */
export type Options = {
  /** One short repetition of everything. */
  quick: boolean;
  /** How many times the large size is built, above 0 and at most 10. */
  scale: number;
  /** The parts to run, by number; all when empty. */
  parts: readonly number[];
  /** The peers to measure, by name; all when empty. */
  peers: readonly string[];
  /** The commit that is compared with, the units of work that are compared, and how many pairs. */
  base: string;
  units: readonly string[];
  pairs: number;
  print(section: Section): void;
};

/** The repetitions of each variant; the variants take turns. */
export function repetitions({ quick }: Pick<Options, 'quick'>, most = 3): number[] {
  return Array.from({ length: quick ? 1 : most }, (_, nth) => nth + 1);
}
