import { useState } from 'react';
import type { Schema } from '../shared/client.tsx';
import { money, number, shortDay, shortMoney, shortMonth, shortNumber } from '../shared/format.ts';
import { Section } from '../shared/ui/basics.tsx';
import { Segments } from '../shared/ui/segments.tsx';
import { portalTexts } from '../texts/en/portal.ts';
import { Chart } from './chart.tsx';
import { othersOf, totalOf } from './figures.tsx';

const { chart: texts } = portalTexts;

type Statistics = Schema['Statistics'];

type Kind = keyof typeof texts.kinds;
const KINDS = ['money', 'points'] as const satisfies readonly Kind[];

/** How the figures came about over time, in money or in points. */
export function SalesChart({ statistics }: { statistics: Statistics }) {
  const [kind, setKind] = useState<Kind>('money');
  const { intervals, currency } = statistics;
  const total = totalOf(statistics);
  const isMoney = kind === 'money';
  const valuesOf = (
    sums: Pick<typeof total, 'sales' | 'matched' | 'pointsEarned' | 'pointsUsed'>,
  ) =>
    isMoney
      ? [sums.matched.amountMinorUnits, othersOf(sums).amountMinorUnits]
      : [sums.pointsEarned, sums.pointsUsed];
  const nameOf = statistics.interval === 'month' ? shortMonth : shortDay;
  const title = texts.titles[kind];
  return (
    <Section
      title={title}
      action={
        <Segments
          legend={texts.by}
          options={KINDS.map((value) => ({ value, text: texts.kinds[value] }))}
          value={kind}
          onValue={setKind}
        />
      }
    >
      <Chart
        label={title}
        from={texts.from}
        series={texts.series[kind]}
        isStacked={isMoney}
        show={(value) => (isMoney ? money(value, currency) : number(value))}
        showAtAxis={(value) => (isMoney ? shortMoney(value, currency) : shortNumber(value))}
        total={valuesOf(total)}
        bars={intervals.map((sums) => ({
          from: sums.from,
          name: nameOf(sums.from),
          values: valuesOf(sums),
        }))}
      />
    </Section>
  );
}
