import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { daySheetTexts as texts } from '../../texts/en/day-sheet.ts';
import type { Schema } from '../client.tsx';
import { colleagueName } from '../colleague.ts';
import { day as dayText, money, number } from '../format.ts';
import { addDays, dayOf, placeOf, shownZone, startOf } from '../zone.ts';
import { Button, EmptyState, ErrorNotice, Skeleton } from './basics.tsx';
import { TextField } from './fields.tsx';
import { type Column, Table } from './lists.tsx';
import '../styles/print.css';

type Sheet = Schema['DaySheet'];
type Row = Omit<Sheet['lines'][number], 'by'> & { by?: Schema['Colleague'] };

const COLUMNS: Column<Row>[] = [
  {
    title: texts.who,
    cell: ({ by }) =>
      by === undefined ? <strong>{texts.total}</strong> : colleagueName(by, texts.somebody),
  },
  { title: texts.codes, cell: ({ codes }) => number(codes), isNumber: true },
  { title: texts.items, cell: ({ items }) => number(items), isNumber: true },
  { title: texts.attached, cell: ({ attachedSales }) => number(attachedSales), isNumber: true },
  {
    title: texts.off,
    cell: ({ by, discountMinorUnits, currency }) => {
      const amount = money(discountMinorUnits, currency);
      return by === undefined ? <strong>{amount}</strong> : amount;
    },
    isNumber: true,
  },
];

/** What was done at the tills of a shop on a day that can be chosen, by person, to be printed. */
export function DaySheet(props: {
  shop: string;
  /** What the sheet is kept under, before the day. */
  queryKey: readonly unknown[];
  read(times: { from: string; to: string }): Promise<Sheet>;
}) {
  const today = dayOf(new Date());
  const [chosen, setDay] = useState('');
  // Until a day is chosen it is today, also when the page is open at midnight.
  const day = chosen === '' ? today : chosen;
  const { data, error, refetch } = useQuery({
    queryKey: [...props.queryKey, day],
    queryFn: () => {
      const [from, to] = [startOf(day), startOf(addDays(day, 1))];
      return props.read({ from: from.toISOString(), to: to.toISOString() });
    },
  });
  return (
    <>
      <div className="filters no-print">
        <TextField label={texts.day} type="date" value={day} max={today} onText={setDay} />
        <Button onClick={() => print()}>{texts.print}</Button>
      </div>
      <ErrorNotice error={error} retry={refetch} />
      {data === undefined && error === null && <Skeleton shape="rows" />}
      {data !== undefined && (
        <section className="section printed" aria-label={texts.title}>
          <h2>{texts.of(props.shop, dayText(startOf(day).toISOString()))}</h2>
          {data.lines.length === 0 ? (
            <EmptyState picture="codes" title={texts.empty} />
          ) : (
            <Table
              label={texts.title}
              rows={[...data.lines, ...data.totals]}
              columns={COLUMNS}
              keyOf={(row) => `${rowName(row)} ${row.currency}`}
            />
          )}
          <p className="hint">{texts.clocks(placeOf(shownZone()))}</p>
        </section>
      )}
    </>
  );
}

const rowName = ({ by }: Row) => by?.userId ?? 'all';
