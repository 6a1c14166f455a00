import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, useClient } from '../../shared/client.tsx';
import { money, number, shortDay, shortNumber } from '../../shared/format.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { pointsText } from '../../shared/points-text.ts';
import { sentence } from '../../shared/sentence.ts';
import {
  Button,
  CommandNotice,
  ErrorNotice,
  Notice,
  Section,
  Skeleton,
} from '../../shared/ui/basics.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { rehearsalTexts as texts } from '../../texts/en/rehearsal.ts';
import { Chart } from '../chart.tsx';
import { useShop } from '../shop.tsx';
import type { RuleTerms } from './draft.ts';
import { backText, percentText } from './words.ts';
import './rehearsal.css';

type Report = Schema['RehearsalReport'];
type Found = Required<Report>;

const DAYS = 90;
const ASK_AGAIN_MS = 1_000;

/** Tries a rule on the sales of the last days before it is published. */
export function Rehearsal({ terms, currency }: { terms: RuleTerms; currency: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [id, setId] = useState<string>();
  const begin = useSubmit({
    send: (rule: RuleTerms, attempt) =>
      client.beginRehearsal({ tenantId, body: { days: DAYS, rule } }, attempt),
    changes: [],
    onDone: (begun) => setId(begun.id),
  });
  const shown = useQuery({
    queryKey: ['rehearsal', tenantId, id],
    queryFn: () => client.showRehearsal({ tenantId, rehearsalId: id ?? '' }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? ASK_AGAIN_MS : false),
  });
  const report = shown.data;
  const isRunning =
    begin.isRunning || (id !== undefined && (!report || report.status === 'running'));
  const isOther = report !== undefined && !isSame(report.draft.rule, terms);
  return (
    <Section
      title={texts.title(DAYS)}
      action={
        (report === undefined || isOther || report.status !== 'done') && (
          <Button isRunning={isRunning} onClick={() => begin.submit(terms)}>
            {report === undefined ? texts.begin(DAYS) : texts.again}
          </Button>
        )
      }
    >
      <CommandNotice command={begin} />
      <ErrorNotice error={shown.error} retry={shown.refetch} />
      <div className="rehearsal" aria-live="polite">
        {isRunning && (
          <>
            <p className="muted">{texts.running}</p>
            <Skeleton shape="cards" />
          </>
        )}
        {!isRunning && report !== undefined && (
          <>
            {isOther && <Notice kind="plain">{texts.other(backText(report.draft.rule))}</Notice>}
            {isFound(report) ? (
              <Outcome report={report} currency={currency} />
            ) : (
              <Notice kind="bad">{texts.failed}</Notice>
            )}
          </>
        )}
      </div>
    </Section>
  );
}

function Outcome({ report, currency }: { report: Found; currency: string }) {
  if (report.sales === 0) return <p>{texts.nothing}</p>;
  const { difference, actual, rehearsed, consumersMore, consumersFewer, consumersSame } = report;
  const leftOut = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
  const { percent } = difference;
  return (
    <>
      <section className="card" aria-label={texts.title(report.draft.days ?? DAYS)}>
        <p className="figure-value">{inMoney(difference.minorUnits, currency)}</p>
        <p>{texts.points(pointsText(actual.pointsNet), pointsText(rehearsed.pointsNet))}</p>
        {percent !== null && percent !== 0 && (
          <p>{texts.percent(`${percent > 0 ? '+' : ''}${percentText(percent)}`)}</p>
        )}
        <p>{texts.who(consumersMore, consumersFewer, consumersSame)}</p>
        {leftOut > 0 && <p className="muted">{texts.leftOut(leftOut)}</p>}
      </section>
      <Weeks {...report} />
      {report.examples.length > 0 && <Examples examples={report.examples} currency={currency} />}
    </>
  );
}

function Weeks({ weeks, actual, rehearsed }: Pick<Found, 'weeks' | 'actual' | 'rehearsed'>) {
  return (
    <Chart
      label={texts.chart}
      from={texts.week}
      series={texts.series}
      isStacked={false}
      show={number}
      showAtAxis={shortNumber}
      total={[actual.pointsEarned, rehearsed.pointsEarned]}
      bars={weeks.map(({ from, actualPoints, rehearsedPoints }) => ({
        from,
        name: shortDay(from),
        values: [actualPoints, rehearsedPoints],
      }))}
    />
  );
}

function Examples({ examples, currency }: Pick<Found, 'examples'> & { currency: string }) {
  return (
    <>
      <h3>{texts.examples}</h3>
      <ul className="items">
        {examples.map(({ transactionId, amountMinorUnits, actualPoints, ...example }) => (
          <li key={transactionId} className="rule">
            <details>
              <summary>
                {texts.example(
                  money(amountMinorUnits, currency),
                  actualPoints,
                  example.rehearsedPoints,
                )}
              </summary>
              <ol>
                {example.coded
                  .map((step) => sentence(step, 'merchant'))
                  .map((line) => (
                    <li key={line}>{line}</li>
                  ))}
              </ol>
            </details>
          </li>
        ))}
      </ul>
    </>
  );
}

function inMoney(minorUnits: number, currency: string): string {
  if (minorUnits === 0) return texts.same;
  const amount = money(Math.abs(minorUnits), currency);
  return minorUnits > 0 ? texts.more(amount) : texts.less(amount);
}

function isFound(report: Report): report is Found {
  return report.status === 'done';
}

/** Whether two rules say the same of each sale and code. */
function isSame(one: Report['draft']['rule'], other: RuleTerms): boolean {
  return keysOf(other).every((name) => one[name] === other[name]);
}
