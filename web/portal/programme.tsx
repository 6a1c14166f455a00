import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { LoyaltyClient } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, monthOf, number, zoneName } from '../shared/format.ts';
import { Button, CommandNotice, ErrorNotice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { CheckField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { type Column, More, Table } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/portal.ts';
import { programmeTexts as texts } from '../texts/programme.ts';
import { ChoiceField } from './choice-field.tsx';
import type { Choice } from './places.ts';
import { useShop } from './shop.tsx';

type Version = Schema['ProgrammeVersion'];
type Publication = NonNullable<Parameters<LoyaltyClient['publishProgramme']>[0]['body']>;

const MOST_DAYS = 90;
const MOST_MONTHS = 120;
const YEAR_MS = 365 * 24 * 3_600_000;

/** What the shop promises beyond its rule: when points can be used, and until when they can. */
export default function ProgrammePage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['programme', tenantId], () =>
    client.all.listProgrammeVersions({ tenantId }),
  );
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
            {active && <p className="muted">{texts.since(moment(active.publishedAt))}</p>}
          </section>
          <Section title={texts.change}>
            <Change key={active?.version} active={active} />
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

function Earlier({ versions }: { versions: readonly Version[] }) {
  return (
    <ul className="items">
      {versions.map(({ id, returnWindowDays, validityMonths, publishedAt }) => (
        <li key={id} className="rule">
          <div className="rule-head">
            <strong>
              {texts.window(returnWindowDays)}. {texts.validity(validityMonths)}
            </strong>
            <span className="muted">{texts.since(moment(publishedAt))}</span>
          </div>
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

/** What became of the points of the last months. */
function Effect() {
  const client = useClient();
  const { tenantId } = useShop();
  const [from] = useState(() => new Date(Date.now() - YEAR_MS).toISOString());
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

/** Publishes other terms. */
function Change({ active }: { active: Version | undefined }) {
  const client = useClient();
  const say = useToast();
  const { tenant, tenantId } = useShop();
  const [days, setDays] = useState(String(active?.returnWindowDays ?? 0));
  const [months, setMonths] = useState(String(active?.validityMonths ?? ''));
  const [notice, setNotice] = useState(String(active?.expiryNoticeDays ?? 14));
  const [tillAttach, setTillAttach] = useState(active?.tillAttach ?? false);
  const asksZone = tenant.timeZone === null;
  const [zones] = useState(() => (asksZone ? zonesOf(tenant.country) : []));
  const [timeZone, setTimeZone] = useState(() => zoneOfDevice(zones));
  const [isChecked, setChecked] = useState(false);
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishProgramme({ tenantId, body }, attempt),
    changes: [['programme'], ['shops']],
    onDone: () => say(texts.published),
  });
  const returnWindowDays = wholeOf(days, 0, MOST_DAYS);
  const validityMonths = months.trim() === '' ? null : wholeOf(months, 1, MOST_MONTHS);
  const expiryNoticeDays = wholeOf(notice, 7, 60);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (returnWindowDays === undefined || validityMonths === undefined) return;
    if (expiryNoticeDays === undefined) return;
    publish.submit({
      returnWindowDays,
      validityMonths,
      expiryNoticeDays,
      tillAttach,
      ...(asksZone && timeZone !== '' && { timeZone }),
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label={texts.days}
        hint={texts.daysHint}
        problem={isChecked && returnWindowDays === undefined ? texts.daysProblem : undefined}
        inputMode="numeric"
        value={days}
        onText={setDays}
      />
      <TextField
        label={texts.months}
        hint={texts.monthsHint}
        problem={isChecked && validityMonths === undefined ? texts.monthsProblem : undefined}
        inputMode="numeric"
        value={months}
        onText={setMonths}
      />
      {validityMonths !== null && (
        <TextField
          label={texts.notice}
          hint={texts.noticeHint}
          problem={isChecked && expiryNoticeDays === undefined ? texts.noticeProblem : undefined}
          inputMode="numeric"
          value={notice}
          onText={setNotice}
        />
      )}
      <CheckField label={texts.attach} checked={tillAttach} onCheck={setTillAttach} />
      {asksZone && (
        <ChoiceField
          label={texts.timeZone}
          hint={texts.timeZoneHint}
          choices={zones}
          value={timeZone}
          onValue={setTimeZone}
        />
      )}
      <CommandNotice command={publish} />
      <div>
        <Button type="submit" kind="primary" isRunning={publish.isRunning}>
          {texts.publish}
        </Button>
      </div>
    </form>
  );
}

/** The time zone of the merchant, who is mostly where the shop is; empty if it is none of these. */
function zoneOfDevice(zones: readonly Choice[]): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return zones.some(({ code }) => code === timeZone) && timeZone !== 'UTC' ? timeZone : '';
}

/** The time zones that a shop can have, by their names; all where its country is not known. */
function zonesOf(country: string | null): Choice[] {
  // Older browsers do not know the zones of a country.
  const own = country === null ? undefined : new Intl.Locale(`und-${country}`).getTimeZones?.();
  const codes = own ?? Intl.supportedValuesOf('timeZone');
  return codes.map((code) => ({ code, name: zoneName(code) }));
}

/** A whole number within its bounds. */
function wholeOf(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined;
  return number !== undefined && number >= least && number <= most ? number : undefined;
}
