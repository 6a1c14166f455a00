import { type FormEvent, useState } from 'react';
import type { LoyaltyClient } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, zoneName } from '../shared/format.ts';
import { Button, CommandNotice, ErrorNotice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { More } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/portal.ts';
import { programmeTexts as texts } from '../texts/programme.ts';
import { ChoiceField } from './choice-field.tsx';
import { useShop } from './shop.tsx';

type Version = Schema['ProgrammeVersion'];
type Publication = NonNullable<Parameters<LoyaltyClient['publishProgramme']>[0]['body']>;

const MOST_DAYS = 90;

/** What the shop promises beyond its rule: for how long points wait, now and before. */
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
            {active && <p className="muted">{texts.since(moment(active.publishedAt))}</p>}
          </section>
          <Section title={texts.change}>
            <Change key={active?.version} active={active} />
          </Section>
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
      {versions.map(({ id, returnWindowDays, publishedAt }) => (
        <li key={id} className="rule">
          <div className="rule-head">
            <strong>{texts.window(returnWindowDays)}</strong>
            <span className="muted">{texts.since(moment(publishedAt))}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Publishes another window; the rest of what the shop promises stays. */
function Change({ active }: { active: Version | undefined }) {
  const client = useClient();
  const say = useToast();
  const { tenant, tenantId } = useShop();
  const [days, setDays] = useState(String(active?.returnWindowDays ?? 0));
  const [timeZone, setTimeZone] = useState('');
  const [isChecked, setChecked] = useState(false);
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishProgramme({ tenantId, body }, attempt),
    changes: [['programme'], ['shops']],
    onDone: () => say(texts.published),
  });
  const returnWindowDays = daysOf(days);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (returnWindowDays === undefined) return;
    publish.submit({
      ...kept(active),
      returnWindowDays,
      ...(timeZone !== '' && { timeZone }),
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
      {tenant.timeZone === null && (
        <ChoiceField
          label={texts.timeZone}
          hint={texts.timeZoneHint}
          choices={ZONES}
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

/** The time zones that a shop can have, by their names. */
const ZONES = Intl.supportedValuesOf('timeZone').map((code) => ({ code, name: zoneName(code) }));

/** A whole number of days that a window may have. */
function daysOf(text: string): number | undefined {
  const days = /^\d{1,2}$/.test(text.trim()) ? Number(text) : undefined;
  return days !== undefined && days <= MOST_DAYS ? days : undefined;
}

/** What a version says that this page does not change. */
function kept(active: Version | undefined): Publication {
  if (active === undefined) return {};
  const { validityMonths, expiryNoticeDays, tillAttach } = active;
  return { validityMonths, expiryNoticeDays, tillAttach };
}
