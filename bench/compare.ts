import type { Options } from './options.ts';
import { sourcesOf } from './releases.ts';
import { formatSpread, type Section } from './report.ts';
import { ratiosOf, type Spread, spreadOf } from './statistics.ts';
import { openTestbed, type Testbed } from './testbed.ts';
import { costOf, PROCESSES, type Turn, takeTurns } from './turns.ts';
import { UNITS, type Unit } from './units.ts';

/**
 * Measures what units of work cost in this checkout and in another commit: both run at the same
 * time, each with servers of its own and the schema of its own migrations, and work in turn for the
 * same driver. So the ratio of a pair holds also on a machine that does something else.
 */
export async function runCompare(testbed: Testbed, options: Options): Promise<Section[]> {
  const { base, quick, print } = options;
  const pairs = quick ? 1 : options.pairs;
  const units = wantedUnits(options.units);
  const release = await sourcesOf(base, testbed.folder);
  const other = await openTestbed(testbed, { release });
  const sections: Section[] = [];
  for (const [key, unit] of units) {
    testbed.log(`Comparing ${unit.name}`);
    const terms = { name: key.replaceAll('-', '_'), quick };
    const [before, now] = await Promise.all([
      unit.start(other, { ...terms, release }),
      unit.start(testbed, terms),
    ]);
    const services = new Map([['base', before] as const, ['change', now] as const]);
    const turns = await takeTurns(services, unit.meter, { turns: pairs, log: testbed.log });
    const rows = comparisonOf(turns.get('base') ?? [], turns.get('change') ?? []);
    const section = sectionOf(key, unit, { base, pairs, rows });
    sections.push(section);
    print(section);
  }
  return sections;
}

/** Returns the units with these names, or all if there are no names. Throws for an unknown name. */
function wantedUnits(names: readonly string[]): [string, Unit][] {
  const unknown = names.find((name) => !Object.hasOwn(UNITS, name));
  if (unknown !== undefined) {
    const all = Object.keys(UNITS).join(', ');
    throw new Error(`There is no unit ${unknown}: choose from ${all}.`);
  }
  return Object.entries(UNITS).filter(([name]) => names.length === 0 || names.includes(name));
}

/** What a unit costs a process on both sides, and the ratio of each pair. */
type Compared = { process: string; base: Spread; change: Spread; ratio: Spread };

/** Compares what each process, and all of them together, needed in the turns of both sides. */
export function comparisonOf(base: readonly Turn[], change: readonly Turn[]): Compared[] {
  return [...PROCESSES, 'together' as const].map((process) => {
    const [before, after] = [costOf(base, process), costOf(change, process)];
    return {
      process,
      base: spreadOf(before),
      change: spreadOf(after),
      ratio: spreadOf(ratiosOf(after, before)),
    };
  });
}

function sectionOf(
  key: string,
  { name, measured }: Unit,
  { base, pairs, rows }: { base: string; pairs: number; rows: readonly Compared[] },
): Section {
  const figures = rows.flatMap(({ process, ...spreads }) =>
    Object.entries(spreads).map(([side, spread]) => [`${process.toLowerCase()}.${side}`, spread]),
  );
  return {
    key,
    figures: Object.fromEntries(figures),
    title: `${measured}, ${name} (min/median/max)`,
    note:
      `This checkout against ${base}, ${pairs} pairs of turns, all of it verified; events of ` +
      '1.8 kB and the log level that is shipped.',
    columns: ['process', 'base', 'change', 'change ÷ base'],
    rows: rows.map(({ process, ...spreads }) => [
      process,
      formatSpread(spreads.base),
      formatSpread(spreads.change),
      formatSpread(spreads.ratio),
    ]),
    bars: [],
  };
}
