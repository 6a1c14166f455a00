import { type FormEvent, useState } from 'react';
import { type Schema, useClient } from '../../shared/client.tsx';
import { zoneName } from '../../shared/format.ts';
import { Button, CommandNotice } from '../../shared/ui/basics.tsx';
import { CheckField, TextField } from '../../shared/ui/fields.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { programmeTexts as texts } from '../../texts/en/programme.ts';
import { ruleTexts } from '../../texts/en/rules.ts';
import { ChoiceField } from '../choice-field.tsx';
import type { Choice } from '../places.ts';
import type { RuleTerms } from '../rules/draft.ts';
import { bestOf, Generous, generousTerms } from '../rules/generous.tsx';
import { useShop } from '../shop.tsx';
import {
  draftOf,
  type Problems,
  type ProgrammeDraft,
  type Publication,
  readDraft,
} from './draft.ts';
import { TierFields } from './tiers.tsx';

/** Publishes other terms, all of them: what is left as it was is sent once more. */
export function Change(props: {
  active: Schema['ProgrammeVersion'] | undefined;
  /** The rule in effect. */
  rule: RuleTerms | undefined;
}) {
  const { active, rule } = props;
  const client = useClient();
  const say = useToast();
  const { tenant, tenantId, currency } = useShop();
  // Without a currency tiers cannot be typed, and read back as what they were.
  const unit = currency ?? '';
  const [zones] = useState(() => (tenant.timeZone === null ? zonesOf(tenant.country) : null));
  const [draft, setDraft] = useState(() => draftOf(active, unit, zoneOfDevice(zones ?? [])));
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState<{ programme: Publication; terms: RuleTerms }>();
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishProgramme({ tenantId, body }, attempt),
    changes: [['programme'], ['shops']],
    onDone: () => {
      setAsked(undefined);
      say(texts.published);
    },
  });
  const read = readDraft(draft, unit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ('problems' in read) return;
    const { programme } = read;
    const isOther = givenBy(programme.tiers) !== givenBy(active?.tiers);
    const terms = isOther ? generousTerms(rule, bestOf(programme.tiers)) : undefined;
    if (terms === undefined) publish.submit(programme);
    else setAsked({ programme, terms });
  };
  const problems = isChecked && 'problems' in read ? read.problems : {};
  return (
    <>
      <form className="form" onSubmit={submit}>
        <TermFields draft={draft} problems={problems} onDraft={setDraft} />
        <TierFields
          tiers={draft.tiers}
          currency={currency}
          rule={rule}
          problems={problems.tiers ?? {}}
          onTiers={(tiers) => setDraft({ ...draft, tiers })}
        />
        {zones !== null && (
          <ChoiceField
            label={texts.timeZone}
            hint={texts.timeZoneHint}
            choices={zones}
            value={draft.timeZone}
            onValue={(timeZone) => setDraft({ ...draft, timeZone })}
          />
        )}
        {asked === undefined && <CommandNotice command={publish} />}
        <div>
          <Button type="submit" kind="primary" isRunning={publish.isRunning}>
            {texts.publish}
          </Button>
        </div>
      </form>
      <Generous
        terms={asked?.terms}
        currency={unit}
        who={ruleTexts.generous.best}
        publish={{ ...publish, submit: () => asked && publish.submit(asked.programme) }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

/** What tiers ask for and give, whatever they are called. */
function givenBy(tiers: Publication['tiers'] = []): string {
  return String(tiers.flatMap(({ thresholdMinorUnits: from, multiplier }) => [from, multiplier]));
}

function TermFields(props: {
  draft: ProgrammeDraft;
  problems: Problems;
  onDraft(draft: ProgrammeDraft): void;
}) {
  const { draft, problems, onDraft } = props;
  const field = (name: 'days' | 'months' | 'notice') => ({
    value: draft[name],
    problem: problems[name],
    onText: (text: string) => onDraft({ ...draft, [name]: text }),
    inputMode: 'numeric' as const,
  });
  return (
    <>
      <TextField label={texts.days} hint={texts.daysHint} {...field('days')} />
      <TextField label={texts.months} hint={texts.monthsHint} {...field('months')} />
      {draft.months.trim() !== '' && (
        <TextField label={texts.notice} hint={texts.noticeHint} {...field('notice')} />
      )}
      <CheckField
        label={texts.attach}
        checked={draft.tillAttach}
        onCheck={(tillAttach) => onDraft({ ...draft, tillAttach })}
      />
    </>
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
