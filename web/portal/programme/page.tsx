import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, useClient } from '../../shared/client.tsx';
import { decimal, moment, money, monthOf, number } from '../../shared/format.ts';
import { ErrorNotice, Section, Skeleton } from '../../shared/ui/basics.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { type Column, More, Table } from '../../shared/ui/lists.tsx';
import { usePages } from '../../shared/use-pages.ts';
import { dayOf, startOf } from '../../shared/zone.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import { programmeTexts as texts } from '../../texts/en/programme.ts';
import { termsInEffect } from '../rules/history.ts';
import { useRules } from '../rules/use-rules.ts';
import { useShop } from '../shop.tsx';
import { Change } from './form.tsx';

type Version = Schema['ProgrammeVersion'];

/** What the shop promises beyond its rule: when points can be used, and until when they can. */
export default function ProgrammePage() {
  const client = useClient();
  const { tenantId, currency } = useShop();
  const list = usePages(['programme', tenantId], () =>
    client.all.listProgrammeVersions({ tenantId }),
  );
  const rules = useRules();
  const [active, ...earlier] = list.items ?? [];
  return (
    <>
      <PageTitle>{portalTexts.pages.programme}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <ErrorNotice error={list.error} retry={list.refetch} />
      {list.isPending && <Skeleton />}
      {list.items !== undefined && (
        <>
          <section className="card" aria-label={texts.now}>
            <p className="muted">{texts.now}</p>
            <p className="figure-value">
              {active === undefined ? texts.none : texts.window(active.returnWindowDays)}
            </p>
            {active && <p>{texts.validity(active.validityMonths)}</p>}
            {active && <p>{texts.tillAttach(active.tillAttach)}</p>}
            {active && <Tiers tiers={active.tiers} />}
            {active && <p className="muted">{texts.since(moment(active.publishedAt))}</p>}
          </section>
          <Section title={texts.change}>
            <ErrorNotice error={rules.error} retry={rules.refetch} />
            {rules.isPending && <Skeleton />}
            {rules.items !== undefined && (
              <Change
                key={`${active?.version} ${currency}`}
                active={active}
                rule={termsInEffect(rules.items)}
              />
            )}
          </Section>
          {active !== undefined && (
            <Section title={texts.effect}>
              <Effect />
            </Section>
          )}
          {earlier.length > 0 && (
            <Section title={texts.earlier}>
              <Earlier versions={earlier} />
            </Section>
          )}
        </>
      )}
      <More list={list} />
    </>
  );
}

/** What each tier asks for, and gives. */
function Tiers({ tiers }: { tiers: Version['tiers'] }) {
  const { currency } = useShop();
  if (tiers.length === 0) return null;
  return (
    <ul aria-label={texts.tiers.title}>
      {tiers.map(({ key, name, thresholdMinorUnits, multiplier }) => (
        <li key={key}>
          {texts.tiers.says(
            name,
            money(thresholdMinorUnits, currency),
            multiplier === 1 ? null : decimal(multiplier),
          )}
        </li>
      ))}
    </ul>
  );
}

function Earlier({ versions }: { versions: readonly Version[] }) {
  return (
    <ul className="items">
      {versions.map(({ id, returnWindowDays, validityMonths, tiers, publishedAt }) => (
        <li key={id} className="rule">
          <div className="rule-head">
            <strong>
              {texts.window(returnWindowDays)}. {texts.validity(validityMonths)}
            </strong>
            <span className="muted">{texts.since(moment(publishedAt))}</span>
          </div>
          <Tiers tiers={tiers} />
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly Column<Schema['IntervalStatistics']>[] = [
  { title: texts.month, cell: ({ from }) => monthOf(from) },
  {
    title: texts.earned,
    cell: ({ pointsEarned, pointsReversed }) => number(pointsEarned - pointsReversed),
    isNumber: true,
  },
  { title: texts.used, cell: ({ pointsUsed }) => number(pointsUsed), isNumber: true },
  { title: texts.expired, cell: ({ pointsExpired }) => number(pointsExpired), isNumber: true },
];

/** The start of this month a year ago: the first row is of a whole month as well. */
function aYearAgo(): string {
  const today = dayOf(new Date());
  return startOf(`${Number(today.slice(0, 4)) - 1}${today.slice(4, 8)}01`).toISOString();
}

/** What became of the points of the last months. */
function Effect() {
  const client = useClient();
  const { tenantId } = useShop();
  const [from] = useState(aYearAgo);
  const statistics = useQuery({
    queryKey: ['statistics', tenantId, 'months'],
    queryFn: () => client.showStatistics({ tenantId, interval: 'month', from }),
  });
  const months = statistics.data?.intervals.filter(
    ({ pointsEarned, pointsUsed, pointsExpired }) => pointsEarned + pointsUsed + pointsExpired > 0,
  );
  return (
    <>
      <ErrorNotice error={statistics.error} retry={statistics.refetch} />
      {statistics.isPending && <Skeleton />}
      {months?.length === 0 && <p className="muted">{texts.noEffect}</p>}
      {months !== undefined && months.length > 0 && (
        <Table
          label={texts.effect}
          rows={months.toReversed()}
          keyOf={({ from: month }) => month}
          columns={COLUMNS}
        />
      )}
    </>
  );
}
