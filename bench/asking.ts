import { type Options, repetitions } from './options.ts';
import { measureCpu } from './process-figures.ts';
import { formatSpread, ratioBar, type Section } from './report.ts';
import { percentile, spreadOf, spreadsOf } from './statistics.ts';
import type { Testbed } from './testbed.ts';
import { costOf, PROCESSES, type Turn, takeTurns } from './turns.ts';
import { type Running, UNITS } from './units.ts';

const REPETITIONS = 5;
/** At most, ÷ a sale that is known at once: processor time in a burst, and p50 at 20/s. */
const BARS = { cpu: 2.5, p50: 2 };
const VARIANTS = [
  { unit: 'sale', name: 'known at once', lone: 'lone-sale' },
  { unit: 'asked-sale', name: 'asked for', lone: 'lone-asked-sale' },
  { unit: 'slowly-asked-sale', name: 'asked for, told after 100 ms', lone: undefined },
] as const;
const LONE = ['lone-sale', 'lone-asked-sale'] as const;
type Variant = (typeof VARIANTS)[number]['unit'] | (typeof LONE)[number];

/**
 * Part 10: measures sales whose customer has to be asked for, as most sales at a till, beside those
 * that name an e-mail: in bursts, and one by one.
 */
export async function measureAsking(testbed: Testbed, { quick }: Options): Promise<Section> {
  const services = new Map<Variant, Running>();
  for (const unit of [...VARIANTS.map((variant) => variant.unit), ...LONE]) {
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
  const p50 = (unit: Variant) => of(unit).map(({ latencies = [] }) => percentile(latencies, 50));
  const perSecond = (unit: Variant) => of(unit).map(({ units, seconds }) => units / seconds);
  return {
    key: 'asking',
    figures: spreadsOf(
      new Map(
        VARIANTS.flatMap(({ unit }): [string, number[]][] => [
          [`${unit}.cpu_us`, cpu(unit)],
          [`${unit}.credited_per_second`, perSecond(unit)],
        ]).concat(LONE.map((unit) => [`${unit}.p50_ms`, p50(unit)])),
      ),
    ),
    title: '10. Sales whose customer has to be asked for (min/median/max)',
    note:
      'Events of 1.8 kB, all of them verified; the simulated provider, which is not counted, ' +
      'answers at once or after 100 ms. Bursts, and 20 sales a second, in turn.',
    columns: ['customer', 'credited/s', 'CPU µs per event', 'of which', 'p50 ms at 20/s'],
    rows: VARIANTS.map(({ unit, name, lone }) => [
      name,
      formatSpread(spreadOf(perSecond(unit))),
      formatSpread(spreadOf(cpu(unit))),
      PROCESSES.map((process) => {
        const { median } = spreadOf(costOf(of(unit), process));
        return `${process} ${median.toFixed(0)}`;
      }).join(', '),
      lone === undefined ? '–' : formatSpread(spreadOf(p50(lone))),
    ]),
    bars: [
      ratioBar('CPU per event, asked for ÷ known at once', [cpu('asked-sale'), cpu('sale')], {
        atMost: BARS.cpu,
      }),
      ratioBar(
        'p50 at 20/s, asked for ÷ known at once',
        [p50('lone-asked-sale'), p50('lone-sale')],
        {
          atMost: BARS.p50,
        },
      ),
    ],
  };
}
