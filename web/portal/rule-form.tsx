import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { commonTexts } from '../texts/common.ts';
import { portalTexts } from '../texts/portal.ts';
import {
  exampleOf,
  FIRST_DRAFT,
  oneUnit,
  type Problems,
  type RuleDraft,
  type RuleTerms,
  readDraft,
} from './rule-draft.ts';
import { useShop } from './shop.tsx';

const { rules: texts } = portalTexts;
const { fields } = texts;
const ROUNDINGS = ['floor', 'round', 'ceil'] as const;

/** Publishes a version of the rule, with what a sale would earn under it. */
export function RuleDialog(props: { currency: string; isOpen: boolean; onClose(): void }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const [isChecked, setChecked] = useState(false);
  const publish = useSubmit({
    send: (body: RuleTerms, attempt) => client.publishRewardRule({ tenantId, body }, attempt),
    changes: [['rules'], ['shops']],
    onDone: () => {
      setDraft(FIRST_DRAFT);
      setChecked(false);
      props.onClose();
    },
  });
  const read = readDraft(draft, props.currency);
  const submit = () => {
    setChecked(true);
    if ('terms' in read) publish.submit(read.terms);
  };
  return (
    <FormDialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      title={texts.publishTitle}
      submit={texts.submit}
      isRunning={publish.isRunning}
      error={publish.error}
      onSubmit={submit}
    >
      <Fields
        draft={draft}
        problems={isChecked && 'problems' in read ? read.problems : {}}
        onDraft={setDraft}
      />
      {'terms' in read && <Examples terms={read.terms} currency={props.currency} />}
    </FormDialog>
  );
}

function Fields(props: { draft: RuleDraft; problems: Problems; onDraft(draft: RuleDraft): void }) {
  const { draft, problems, onDraft } = props;
  const field = (name: Exclude<keyof RuleDraft, 'rounding'>) => ({
    value: draft[name],
    problem: problems[name],
    onText: (text: string) => onDraft({ ...draft, [name]: text }),
  });
  return (
    <>
      <TextField label={fields.rate} inputMode="decimal" {...field('rate')} />
      <div className="form-row">
        <TextField label={fields.minSpend} inputMode="decimal" {...field('minSpend')} />
        <TextField label={fields.cap} hint={fields.capHint} inputMode="numeric" {...field('cap')} />
      </div>
      <SelectField
        label={fields.rounding}
        value={draft.rounding}
        options={ROUNDINGS.map((value) => ({ value, text: texts.rounding[value] }))}
        onValue={(rounding) => onDraft({ ...draft, rounding })}
      />
      <div className="form-row">
        <TextField label={fields.minBalance} inputMode="numeric" {...field('minBalance')} />
        <TextField label={fields.share} inputMode="decimal" {...field('share')} />
      </div>
      <TextField
        label={fields.when}
        hint={fields.whenHint}
        type="datetime-local"
        {...field('when')}
      />
    </>
  );
}

function Examples({ terms, currency }: { terms: RuleTerms; currency: string }) {
  const unit = oneUnit(currency);
  return (
    <div className="notice" aria-live="polite">
      <p>{texts.examples}</p>
      <ul>
        {[1, 12.5, 100].map((units) => {
          const amount = Math.round(units * unit);
          const points = exampleOf(terms, amount);
          const earned = commonTexts.points(points, number(points));
          return <li key={units}>{texts.example(money(amount, currency), earned)}</li>;
        })}
      </ul>
    </div>
  );
}
