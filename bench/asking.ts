import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { formatSpread, ratioBar, type Section } from './report.ts';
import { spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { costOf, PROCESSES, type Turn, takeTurns } from './turns.ts';
import { type Running, UNITS } from './units.ts';

const REPETITIONS = 5;
const BAR = 3;
const VARIANTS = [
  { unit: 'sale', name: 'known at once' },
  { unit: 'asked-sale', name: 'asked for' },
  { unit: 'slowly-asked-sale', name: 'asked for, told after 100 ms' },
] as const;
type Variant = (typeof VARIANTS)[number]['unit'];

/**
 * Part 10: measures bursts of sales whose customer has to be asked for, as most sales at a till,
 * beside those that name an e-mail.
 */
export async function measureAsking(testbed: Testbed, { quick }: Options): Promise<Section> {
  const services = new Map<Variant, Running>();
  for (const { unit } of VARIANTS) {
    const name = unit.replaceAll('-', '_');
    services.set(unit, await UNITS[unit].start(testbed, { name, quick }));
  }
  const log = (line: string) => testbed.log(`Part 10, ${line}`);
  const turns = repetitions({ quick }, REPETITIONS).length;
  return sectionOf(await takeTurns(services, measureCpu, { turns, log }));
}

function sectionOf(taken: ReadonlyMap<Variant, readonly Turn[]>): Section {
  const of = (unit: Variant) => taken.get(unit) ?? [];
  const cpu = (unit: Variant) => costOf(of(unit), 'together');
  const perSecond = (unit: Variant) => of(unit).map(({ units, seconds }) => units / seconds);
  return {
    key: 'asking',
    figures: spreadsOf(
      new Map(
        VARIANTS.flatMap(({ unit }): [string, number[]][] => [
          [`${unit}.cpu_us`, cpu(unit)],
          [`${unit}.credited_per_second`, perSecond(unit)],
        ]),
      ),
    ),
    title: '10. Sales whose customer has to be asked for, in a burst (min/median/max)',
    note:
      'Events of 1.8 kB, all of them verified; the simulated provider, which is not counted, ' +
      'answers at once or after 100 ms.',
    columns: ['customer', 'credited/s', 'CPU µs per event', 'of which'],
    rows: VARIANTS.map(({ unit, name }) => [
      name,
      formatSpread(spreadOf(perSecond(unit))),
      formatSpread(spreadOf(cpu(unit))),
      PROCESSES.map((process) => {
        const { median } = spreadOf(costOf(of(unit), process));
        return `${process} ${median.toFixed(0)}`;
      }).join(', '),
    ]),
    bars: [
      ratioBar('CPU per event, asked for ÷ known at once', [cpu('asked-sale'), cpu('sale')], {
        atMost: BAR,
      }),
    ],
  };
}
