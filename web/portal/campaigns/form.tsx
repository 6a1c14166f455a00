import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../../shared/client.tsx';
import {
  Button,
  CommandNotice,
  EmptyState,
  ErrorNotice,
  Skeleton,
} from '../../shared/ui/basics.tsx';
import { SelectField, TextField } from '../../shared/ui/fields.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { Segments } from '../../shared/ui/segments.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { useDraft } from '../../shared/use-draft.ts';
import { useSubmit } from '../../shared/use-submit.ts';
import { campaignTexts as texts } from '../../texts/en/campaigns.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import type { RuleTerms } from '../rules/draft.ts';
import { Generous, generousTerms } from '../rules/generous.tsx';
import { termsInEffect } from '../rules/history.ts';
import { useRules } from '../rules/use-rules.ts';
import { multipliedText } from '../rules/words.ts';
import { useShop } from '../shop.tsx';
import {
  ALL_DAYS,
  type CampaignDraft,
  FIRST_DRAFT,
  type Problems,
  type Publication,
  readDraft,
  toggled,
} from './draft.ts';

const { fields } = texts;
const BACK = { href: '/campaigns', text: portalTexts.pages.campaigns };
const KINDS = (['multiplier', 'points'] as const).map((value) => ({
  value,
  text: fields.kinds[value],
}));
const AUDIENCES = (['all', 'first_purchase'] as const).map((value) => ({
  value,
  text: fields.audiences[value],
}));

/** Publishes a campaign. */
export default function CampaignFormPage() {
  const { currency } = useShop();
  const rules = useRules();
  return (
    <>
      <PageTitle back={BACK}>{texts.new}</PageTitle>
      <ErrorNotice error={rules.error} retry={rules.refetch} />
      {currency === null && <EmptyState picture="connection" title={texts.needsCurrency} />}
      {rules.isPending && <Skeleton />}
      {currency !== null && rules.items !== undefined && (
        <CampaignForm currency={currency} rule={termsInEffect(rules.items)} />
      )}
    </>
  );
}

function CampaignForm({ currency, rule }: { currency: string; rule: RuleTerms | undefined }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [, navigate] = useLocation();
  const say = useToast();
  const [draft, setDraft] = useDraft(`campaign.${tenantId}`, () => FIRST_DRAFT);
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState<{ campaign: Publication; terms: RuleTerms }>();
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishCampaign({ tenantId, body }, attempt),
    changes: [['campaigns'], ['shops']],
    onDone: () => {
      say(texts.published);
      navigate('/campaigns');
    },
  });
  const read = readDraft(draft, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ('problems' in read) return;
    const { campaign } = read;
    const terms = generousOf(campaign, rule);
    if (terms === undefined) publish.submit(campaign);
    else setAsked({ campaign, terms });
  };
  return (
    <>
      <form className="form" onSubmit={submit}>
        <Fields
          draft={draft}
          rule={rule}
          problems={isChecked && 'problems' in read ? read.problems : {}}
          onDraft={setDraft}
        />
        {asked === undefined && <CommandNotice command={publish} />}
        <div>
          <Button type="submit" kind="primary" isRunning={publish.isRunning}>
            {texts.publish}
          </Button>
        </div>
      </form>
      <Generous
        terms={asked?.terms}
        currency={currency}
        publish={{ ...publish, submit: () => asked && publish.submit(asked.campaign) }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

/** By what a sale of a campaign earns, if that is asked about: one that is too small earns less. */
function generousOf(campaign: Publication, rule: RuleTerms | undefined): RuleTerms | undefined {
  const { multiplier, minSpendMinorUnits = 0 } = campaign;
  const terms = multiplier ? generousTerms(rule, multiplier) : undefined;
  const least = Math.max(minSpendMinorUnits, terms?.minSpendMinorUnits ?? 0);
  return terms && { ...terms, minSpendMinorUnits: least };
}

type FieldsProps = {
  draft: CampaignDraft;
  /** The rule in effect. */
  rule: RuleTerms | undefined;
  problems: Problems;
  onDraft(draft: CampaignDraft): void;
};

function Fields(props: FieldsProps) {
  const { draft, rule, onDraft } = props;
  const field = (name: Exclude<keyof CampaignDraft, 'kind' | 'audience'>) => ({
    value: draft[name],
    problem: props.problems[name],
    onText: (text: string) => onDraft({ ...draft, [name]: text }),
  });
  const isBonus = draft.kind === 'points';
  return (
    <>
      <TextField label={fields.name} hint={fields.nameHint} maxLength={60} {...field('name')} />
      <fieldset className="group">
        <legend>{fields.gives}</legend>
        <Segments
          legend={fields.gives}
          options={KINDS}
          value={draft.kind}
          onValue={(kind) => onDraft({ ...draft, kind })}
        />
        {isBonus ? (
          <TextField label={fields.points} inputMode="numeric" {...field('points')} />
        ) : (
          <TextField
            label={fields.multiplier}
            hint={multipliedText(rule, draft.multiplier)}
            inputMode="decimal"
            {...field('multiplier')}
          />
        )}
      </fieldset>
      <fieldset className="group">
        <legend>{fields.which}</legend>
        <TextField
          label={fields.minSpend}
          hint={isBonus ? fields.minSpendHint : undefined}
          inputMode="decimal"
          {...field('minSpend')}
        />
        <SelectField
          label={fields.audience}
          value={draft.audience}
          options={AUDIENCES}
          onValue={(audience) => onDraft({ ...draft, audience })}
        />
        <Days {...props} />
        <div className="form-row">
          <TextField label={fields.fromHour} type="time" {...field('fromHour')} />
          <TextField
            label={fields.toHour}
            hint={fields.hoursHint}
            type="time"
            {...field('toHour')}
          />
        </div>
      </fieldset>
      <fieldset className="group">
        <legend>{fields.when}</legend>
        <div className="form-row">
          <TextField
            label={fields.starts}
            hint={fields.startsHint}
            type="datetime-local"
            {...field('starts')}
          />
          <TextField
            label={fields.ends}
            hint={fields.endsHint}
            type="datetime-local"
            {...field('ends')}
          />
        </div>
        <TextField
          label={fields.budget}
          hint={fields.budgetHint}
          inputMode="numeric"
          {...field('budget')}
        />
      </fieldset>
    </>
  );
}

/** The days of the week, each of which is on or off. */
function Days({ draft, problems: { days: problem }, onDraft }: FieldsProps) {
  return (
    <div className="field">
      <p className="days-label" aria-hidden="true">
        {fields.days}
      </p>
      <fieldset className="segments">
        <legend className="hidden">{fields.days}</legend>
        {[...ALL_DAYS].map((day, nth) => (
          <button
            key={day}
            type="button"
            className="segment"
            aria-pressed={draft.days.includes(day)}
            onClick={() => onDraft({ ...draft, days: toggled(draft.days, day) })}
          >
            {fields.dayNames[nth]}
          </button>
        ))}
      </fieldset>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
