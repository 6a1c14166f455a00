import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { money, number, shortDay, weekdayName } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Button, CommandNotice, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { addDays, dayOf, startOf } from '../shared/zone.ts';
import { language } from '../texts/en/language.ts';
import { truthTexts as texts } from '../texts/en/truth.ts';
import type { Connection } from './connections.tsx';
import { useShop } from './shop.tsx';
import './truth.css';

type TruthDay = Schema['TruthDay'];

const WEEKS = 5;
/** A day that is older cannot be brought in any more. */
const REPAIRED_DAYS = 30;
const ASK_AGAIN_MS = 1_000;
/** So often it is asked again whether a day is brought in. */
const PATIENCE = 60;
const MARKS = { agrees: '✓', repaired: '↻', differs: '!', unavailable: '?', none: '' } as const;
const NOT_FOUND = 404;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

const months = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' });

/** The last weeks of a point of sale as a calendar: whether all that it sold is here. */
export default function Truth({ connection }: { connection: Connection }) {
  const { id: connectionId, posType } = connection;
  const client = useClient();
  const clock = useServiceClock();
  const { tenantId } = useShop();
  const { label } = providers[posType];
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState<{ day: string; before: string | null; times: number }>();
  const today = dayOf(new Date(clock.now()));
  const first = mondayOf(addDays(today, -7 * (WEEKS - 1)));
  const shown = useQuery({
    queryKey: ['truth', tenantId, connectionId, first],
    queryFn: async () => {
      const range = { from: first, to: addDays(today, 1) };
      const days = await client.listTruthDays({ tenantId, connectionId, ...range });
      setAsked((one) => one && { ...one, times: one.times + 1 });
      return days;
    },
    refetchInterval: ({ state }) => (isOpen(asked, state.data) ? ASK_AGAIN_MS : false),
    retry: false,
  });
  const repair = useSubmit({
    send: (day: string, attempt) => client.repairDay({ tenantId, connectionId, day }, attempt),
    changes: [['truth'], ['connections']],
    onDone: ({ day }) => setAsked({ day, before: checkedAt(shown.data, day), times: 0 }),
  });
  // Where programmes are switched off, there is no such list.
  if (isLoyaltyError(shown.error) && shown.error.status === NOT_FOUND) return null;
  const found = new Map((shown.data ?? []).map((day) => [day.day, day]));
  const isRunning = isOpen(asked, shown.data);
  const isLate =
    asked !== undefined && !isRunning && checkedAt(shown.data, asked.day) === asked.before;
  return (
    <section className="truth" aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <p className="muted">{texts.lead(label)}</p>
      <ErrorNotice error={shown.error} retry={shown.refetch} />
      {shown.isPending && <Skeleton />}
      {shown.data?.length === 0 && <p>{texts.nothing}</p>}
      {shown.data !== undefined && (
        <ol className="truth-days">
          {WEEKDAYS.map((weekday) => (
            <li key={weekday} aria-hidden="true">
              {weekdayName(weekday)}
            </li>
          ))}
          {daysFrom(first, today).map((day) => {
            const status = found.get(day)?.status ?? 'none';
            const name = texts.dayOf(nameOf(day), texts.statuses[status]);
            return (
              <li key={day}>
                {(day === first || day.endsWith('-01')) && (
                  <span aria-hidden="true">{months.format(new Date(day))}</span>
                )}
                <button
                  type="button"
                  className={`truth-day truth-${status}`}
                  aria-label={name}
                  aria-pressed={day === chosen}
                  title={name}
                  onClick={() => setChosen(day === chosen ? undefined : day)}
                >
                  <span aria-hidden="true">{Number(day.slice(8))}</span>
                  <span aria-hidden="true" className="truth-mark">
                    {MARKS[status]}
                  </span>
                </button>
              </li>
            );
          })}
        </ol>
      )}
      {chosen !== undefined && (
        <div className="truth-chosen" aria-live="polite">
          <p>
            <strong>{nameOf(chosen)}</strong> {texts.statuses[found.get(chosen)?.status ?? 'none']}
          </p>
          <Found day={found.get(chosen)} label={label} />
          {isRunning && asked?.day === chosen && <p className="muted">{texts.running}</p>}
          {isLate && asked?.day === chosen && <Notice kind="plain">{texts.later}</Notice>}
          {chosen >= addDays(today, -REPAIRED_DAYS) && (
            <>
              <Button
                size="small"
                isRunning={repair.isRunning || (isRunning && asked?.day === chosen)}
                onClick={() => repair.submit(chosen)}
              >
                {found.get(chosen)?.status === 'differs' ? texts.bringIn : texts.compare}
              </Button>
              <p className="muted">{texts.earns}</p>
            </>
          )}
          <CommandNotice command={repair} />
        </div>
      )}
    </section>
  );
}

function Found({ day, label }: { day: TruthDay | undefined; label: string }) {
  const { currency } = useShop();
  if (day === undefined || day.status === 'unavailable') return null;
  const { provider, ours, missing, changed, unknown, repaired } = day;
  const written = ({ count, amountMinorUnits, refundedMinorUnits }: TruthDay['ours']) => (
    <dd>
      {texts.sales(count, number(count), money(amountMinorUnits, currency))}
      {refundedMinorUnits > 0 && `, ${texts.refunded(money(refundedMinorUnits, currency))}`}
    </dd>
  );
  const said = [
    missing > 0 && texts.missing(missing, number(missing)),
    changed > 0 && texts.changed(changed, number(changed)),
    unknown > 0 && texts.unknown(unknown, number(unknown), label),
    repaired > 0 && texts.repaired(repaired, number(repaired)),
  ].filter((one) => one !== false);
  return (
    <>
      <dl className="facts">
        <dt>{texts.listed(label)}</dt>
        {written(provider)}
        <dt>{texts.here}</dt>
        {written(ours)}
      </dl>
      {said.length > 0 && <p>{said.join(' ')}</p>}
    </>
  );
}

type Asked = { day: string; before: string | null; times: number } | undefined;

/** Whether a day that was asked for has not been compared since. */
function isOpen(asked: Asked, days: readonly TruthDay[] | undefined): boolean {
  if (asked === undefined || asked.times > PATIENCE) return false;
  return checkedAt(days, asked.day) === asked.before;
}

function checkedAt(days: readonly TruthDay[] | undefined, day: string): string | null {
  return days?.find((one) => one.day === day)?.checkedAt ?? null;
}

function nameOf(day: string): string {
  return shortDay(startOf(day).toISOString());
}

function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
