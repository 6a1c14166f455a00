import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { inZone, type Period } from '../shared/period.ts';
import { ButtonLink, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { ClocksNote, PeriodFields } from '../shared/ui/period.tsx';
import { Support } from '../shared/ui/support.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { dayOf } from '../shared/zone.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { Figures, othersOf, totalOf } from './figures.tsx';
import { Health } from './health.tsx';
import { Latest } from './latest.tsx';
import { Onboarding } from './onboarding.tsx';
import { SalesChart } from './sales-chart.tsx';
import { useShop } from './shop.tsx';
import { TopCustomers } from './top-customers.tsx';

const { overview: texts } = portalTexts;

type Statistics = Schema['Statistics'];

/** Says whether the shop's points work, and whether they are worth it. */
export function OverviewPage() {
  const { tenant } = useShop();
  const [search] = useSearchParams();
  const filters = useFilters();
  const period = filters.period('30');
  const statistics = useStatistics(period);
  return (
    <>
      <PageTitle>{tenant.name}</PageTitle>
      {tenant.status === 'suspended' && (
        <Notice kind="bad">
          <p>{texts.suspended}</p>
          <Support />
        </Notice>
      )}
      <Onboarding />
      <div className="home">
        <Health today={statistics.data?.today} />
        <section className="home-main" aria-label={texts.figures}>
          <div className="filters home-filters">
            <PeriodFields period={period} without="all" filters={filters} />
          </div>
          <ErrorNotice error={statistics.error} retry={statistics.refetch} />
          {statistics.isPending && <Skeleton shape="cards" count={6} />}
          {statistics.data !== undefined && (
            <>
              <Figures statistics={statistics.data} />
              <Unknown statistics={statistics.data} search={search} />
              <SalesChart statistics={statistics.data} />
              <TopCustomers statistics={statistics.data} />
            </>
          )}
          <ClocksNote />
        </section>
        <div className="home-latest">
          <Latest />
        </div>
      </div>
    </>
  );
}

function useStatistics({ days }: Period) {
  const client = useClient();
  const { tenantId } = useShop();
  const today = dayOf(new Date());
  // Half a choice is completed, so that something is shown for it.
  const to = days.to === '' ? today : days.to;
  const from = days.from === '' || days.from > to ? to : days.from;
  return useQuery({
    queryKey: ['statistics', tenantId, from, to],
    queryFn: () =>
      client.showStatistics({
        tenantId,
        ...inZone({ from, to }),
        interval: intervalFor(from, to),
      }),
    placeholderData: keepPreviousData,
  });
}

/** So that no chart has more bars than can be told apart. */
function intervalFor(from: string, to: string): Statistics['interval'] {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days < 45) return 'day';
  return days < 190 ? 'week' : 'month';
}

/** What to do about the sales that earned nobody anything. */
function Unknown({ statistics, search }: { statistics: Statistics; search: URLSearchParams }) {
  const { count } = othersOf(totalOf(statistics));
  if (count === 0) return null;
  const where = new URLSearchParams(search);
  where.set('outcome', 'stored_anonymous');
  if (!where.has('from') && !where.has('to') && !where.has('days')) where.set('days', '30');
  return (
    <Notice kind="plain">
      <p>
        <strong>{texts.unknown(count, number(count))}</strong> {texts.unknownWhat}
      </p>
      <ButtonLink size="small" href={`/transactions?${where}`}>
        {texts.seeUnknown}
      </ButtonLink>
    </Notice>
  );
}
