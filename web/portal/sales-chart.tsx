import { useState } from 'react';
import type { Schema } from '../shared/client.tsx';
import {
  day,
  money,
  number,
  shortDay,
  shortMoney,
  shortMonth,
  shortNumber,
} from '../shared/format.ts';
import { Section } from '../shared/ui/basics.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { Segments } from '../shared/ui/segments.tsx';
import { portalTexts } from '../texts/portal.ts';
import { BarChart } from './chart.tsx';
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
  const valuesOf = (
    sums: Pick<typeof total, 'sales' | 'matched' | 'pointsEarned' | 'pointsUsed'>,
  ) =>
    kind === 'money'
      ? [sums.matched.amountMinorUnits, othersOf(sums).amountMinorUnits]
      : [sums.pointsEarned, sums.pointsUsed];
  const show = (value: number) => (kind === 'money' ? money(value, currency) : number(value));
  const nameOfInterval = (from: string) => {
    return statistics.interval === 'month' ? shortMonth(from) : shortDay(from);
  };
  const title = texts.titles[kind];
  const series = texts.series[kind];
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
      <BarChart
        label={title}
        series={series}
        isStacked={kind === 'money'}
        show={show}
        showAtAxis={(value) =>
          kind === 'money' ? shortMoney(value, currency) : shortNumber(value)
        }
        total={valuesOf(total)}
        bars={intervals.map((sums) => ({
          from: sums.from,
          name: nameOfInterval(sums.from),
          values: valuesOf(sums),
        }))}
      />
      <details>
        <summary>{texts.asTable}</summary>
        <Table
          label={title}
          rows={intervals}
          keyOf={({ from }) => from}
          columns={[
            { title: texts.from, cell: ({ from }) => day(from) },
            ...series.map((name, nth) => ({
              title: name,
              cell: (sums: (typeof intervals)[number]) => show(valuesOf(sums)[nth] ?? 0),
              isNumber: true,
            })),
          ]}
        />
      </details>
    </Section>
  );
}
