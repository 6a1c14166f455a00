import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { day, money, number } from '../shared/format.ts';
import { lastDays } from '../shared/period.ts';
import { ErrorNotice, Notice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { portalTexts } from '../texts/portal.ts';
import { BarChart } from './chart.tsx';
import { useShop } from './shop.tsx';

const { overview: texts } = portalTexts;

type Days = keyof typeof texts.days;
type Statistics = Schema['Statistics'];

/** How the shop does: what is left to do, its figures, and how they came about over time. */
export function OverviewPage() {
  const { tenant } = useShop();
  const [days, setDays] = useState<Days>('30');
  const statistics = useStatistics(days);
  return (
    <>
      <PageTitle>{tenant.name}</PageTitle>
      {tenant.status === 'suspended' && <Notice kind="bad">{texts.suspended}</Notice>}
      <ToDo />
      <SelectField
        label={texts.period}
        value={days}
        options={DAYS.map((value) => ({ value, text: texts.days[value] }))}
        onValue={setDays}
      />
      <ErrorNotice error={statistics.error} retry={statistics.refetch} />
      {statistics.isPending && <Skeleton />}
      {statistics.data !== undefined && <Figures statistics={statistics.data} />}
    </>
  );
}

const DAYS: readonly Days[] = ['7', '30', '90'];

function useStatistics(days: Days) {
  const client = useClient();
  const { tenantId } = useShop();
  return useQuery({
    queryKey: ['statistics', tenantId, days],
    queryFn: () => {
      const interval = days === '90' ? 'week' : 'day';
      return client.showStatistics({ tenantId, ...lastDays(Number(days)), interval });
    },
    placeholderData: keepPreviousData,
  });
}

/** What a new shop still has to do; nothing is left of it once all is done. */
function ToDo() {
  const { currency, posConnection, activeRule, stats } = useShop();
  const steps = [
    { href: '/profile', text: texts.steps.profile, isDone: currency !== null },
    { href: '/providers', text: texts.steps.provider, isDone: posConnection !== null },
    { href: '/rules', text: texts.steps.rule, isDone: activeRule !== null },
    { href: '/transactions', text: texts.steps.sale, isDone: stats.transactionCount > 0 },
  ];
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Section title={texts.todo}>
      <ol className="items">
        {steps.map(({ href, text, isDone }) => (
          <li key={href} className="step">
            {isDone ? (
              <>
                <Icon name="check" />
                <span className="muted">
                  {text} ({texts.done})
                </span>
              </>
            ) : (
              <Link href={href}>{text}</Link>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Figures({ statistics }: { statistics: Statistics }) {
  const { intervals, currency, pointsOutstanding, liabilityMinorUnits, pointsOwed } = statistics;
  const sum = (read: (interval: Statistics['intervals'][number]) => number) =>
    intervals.reduce((total, interval) => total + read(interval), 0);
  const earned = sum(({ pointsEarned }) => pointsEarned);
  const matched = {
    count: sum(({ matched: { count } }) => count),
    amount: sum(({ matched: { amountMinorUnits } }) => amountMinorUnits),
  };
  return (
    <>
      <dl className="figures">
        <Figure name={texts.outstanding} value={number(pointsOutstanding)}>
          {texts.liability(money(liabilityMinorUnits, currency))}
          {pointsOwed > 0 && ` · ${texts.owed(number(pointsOwed))}`}
        </Figure>
        <Figure name={texts.sales} value={number(sum(({ sales }) => sales.count))}>
          {texts.matched(number(matched.count), money(matched.amount, currency))}
        </Figure>
        <Figure name={texts.earned} value={number(earned)}>
          {texts.reversed(number(sum(({ pointsReversed }) => pointsReversed)))}
        </Figure>
        <Figure name={texts.used} value={number(sum(({ pointsUsed }) => pointsUsed))}>
          {texts.redeemed(
            number(sum(({ pointsRedeemed }) => pointsRedeemed)),
            number(sum(({ pointsReturned }) => pointsReturned)),
          )}
        </Figure>
      </dl>
      <Section title={texts.chart}>
        <BarChart
          label={texts.chart}
          series={[texts.earned, texts.used]}
          points={intervals.map(({ from, pointsEarned, pointsUsed }) => ({
            from,
            values: [pointsEarned, pointsUsed],
          }))}
        />
        <details>
          <summary>{texts.asTable}</summary>
          <Table
            label={texts.chart}
            rows={intervals}
            keyOf={({ from }) => from}
            columns={[
              { title: texts.from, cell: ({ from }) => day(from) },
              {
                title: texts.earned,
                cell: ({ pointsEarned }) => number(pointsEarned),
                isNumber: true,
              },
              {
                title: texts.used,
                cell: ({ pointsUsed }) => number(pointsUsed),
                isNumber: true,
              },
            ]}
          />
        </details>
      </Section>
    </>
  );
}

function Figure(props: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="card figure">
      <dt>{props.name}</dt>
      <dd className="figure-value number">{props.value}</dd>
      <dd className="muted">{props.children}</dd>
    </div>
  );
}
