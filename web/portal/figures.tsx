import type { ReactNode } from 'react';
import type { Schema } from '../shared/client.tsx';
import { money, number, percent } from '../shared/format.ts';
import { Meter } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { portalTexts } from '../texts/en/portal.ts';

const { figures: texts } = portalTexts;

type Statistics = Schema['Statistics'];
type Sums = Omit<Schema['IntervalStatistics'], 'from' | 'to' | 'pointsExpired'>;
type Sales = Sums['sales'];

/** Adds up the intervals of statistics. */
export function totalOf({ intervals }: Statistics): Sums {
  const sum = (read: (interval: Sums) => number) =>
    intervals.reduce((total, interval) => total + read(interval), 0);
  return {
    sales: {
      count: sum(({ sales }) => sales.count),
      amountMinorUnits: sum(({ sales }) => sales.amountMinorUnits),
    },
    matched: {
      count: sum(({ matched }) => matched.count),
      amountMinorUnits: sum(({ matched }) => matched.amountMinorUnits),
    },
    pointsEarned: sum(({ pointsEarned }) => pointsEarned),
    pointsReversed: sum(({ pointsReversed }) => pointsReversed),
    pointsRedeemed: sum(({ pointsRedeemed }) => pointsRedeemed),
    pointsUsed: sum(({ pointsUsed }) => pointsUsed),
    pointsReturned: sum(({ pointsReturned }) => pointsReturned),
  };
}

/** The sales of nobody who is known. */
export function othersOf({ sales, matched }: Pick<Sums, 'sales' | 'matched'>): Sales {
  return {
    count: sales.count - matched.count,
    amountMinorUnits: sales.amountMinorUnits - matched.amountMinorUnits,
  };
}

/** Whether it is worth it: what the points bring and cost, and how that has changed. */
export function Figures({ statistics }: { statistics: Statistics }) {
  const { currency, before, pointsOutstanding, pointsOwed } = statistics;
  const now = totalOf(statistics);
  const inMoney = (minorUnits: number) => money(minorUnits, currency);
  const averages = { members: averageOf(now.matched), others: averageOf(othersOf(now)) };
  return (
    <dl className="figures">
      <Figure name={texts.sales} value={inMoney(now.sales.amountMinorUnits)}>
        {texts.salesOf(number(now.sales.count))}
        <Change
          now={now.sales.amountMinorUnits}
          before={before.sales.count === 0 ? undefined : before.sales.amountMinorUnits}
          show={inMoney}
        />
      </Figure>
      <KnownShare now={now} before={before} />
      <Returning statistics={statistics} />
      <Figure
        name={texts.average}
        value={averages.members === undefined ? texts.none : inMoney(averages.members)}
      >
        {averages.others === undefined ? texts.noOthers : texts.others(inMoney(averages.others))}
      </Figure>
      <Figure name={texts.used} value={number(now.pointsUsed)}>
        {texts.cost(inMoney(now.pointsUsed), number(now.pointsEarned - now.pointsReversed))}
        <Change now={now.pointsUsed} before={before.pointsUsed || undefined} show={number} />
      </Figure>
      <Figure name={texts.owed} value={inMoney(statistics.liabilityMinorUnits)}>
        {texts.outstanding(number(pointsOutstanding))}
        {pointsOwed > 0 && <span>{texts.debts(number(pointsOwed))}</span>}
      </Figure>
    </dl>
  );
}

function KnownShare({ now, before }: { now: Sums; before: Sums }) {
  const share = shareOf(now.matched.count, now.sales.count);
  return (
    <Figure name={texts.known} value={share === undefined ? texts.none : percent(share)}>
      {share !== undefined && <Meter value={share} max={1} label={texts.known} />}
      {texts.knownOf(number(now.matched.count), number(now.sales.count))}
      {share !== undefined && (
        <Change
          now={share}
          before={shareOf(before.matched.count, before.sales.count)}
          show={percent}
        />
      )}
    </Figure>
  );
}

function Returning({ statistics: { buyers, buyersBefore } }: { statistics: Statistics }) {
  const share = buyers === null ? undefined : shareOf(buyers.returning, buyers.count);
  if (buyers === null || share === undefined) {
    return (
      <Figure name={texts.returning} value={texts.none}>
        {buyers === null ? texts.tooMany : texts.nobody}
      </Figure>
    );
  }
  return (
    <Figure name={texts.returning} value={percent(share)}>
      {texts.returningOf(number(buyers.returning), number(buyers.count))}
      <Change
        now={share}
        before={
          buyersBefore === null ? undefined : shareOf(buyersBefore.returning, buyersBefore.count)
        }
        show={percent}
      />
    </Figure>
  );
}

/** A figure with its name, and what there is to say about it. */
export function Figure(props: { name: string; value: string; children?: ReactNode }) {
  return (
    <div className="card figure">
      <dt>{props.name}</dt>
      <dd className="figure-value number">{props.value}</dd>
      {props.children !== undefined && <dd className="figure-more">{props.children}</dd>}
    </div>
  );
}

/** How a figure has changed, in words: up from 47 %. */
function Change(props: { now: number; before: number | undefined; show(value: number): string }) {
  const { now, before, show } = props;
  if (before === undefined) return null;
  const [shownNow, shownBefore] = [show(now), show(before)];
  if (shownNow === shownBefore) return <span className="change">{texts.same}</span>;
  const isUp = now > before;
  return (
    <span className={isUp ? 'change change-up' : 'change'}>
      <Icon name={isUp ? 'up' : 'down'} />
      {isUp ? texts.up(shownBefore) : texts.down(shownBefore)}
    </span>
  );
}

function shareOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

function averageOf({ count, amountMinorUnits }: Sales): number | undefined {
  return count === 0 ? undefined : Math.round(amountMinorUnits / count);
}
