import { money, unitOf } from '../../shared/format.ts';
import { SelectField, TextField } from '../../shared/ui/fields.tsx';
import { ruleTexts as texts } from '../../texts/en/rules.ts';
import { type Problems, type RateKind, type RuleDraft, rateText } from './draft.ts';

const { fields } = texts;
const ROUNDINGS = ['floor', 'round', 'ceil'] as const;

/** The fields of a rule; its rate can be typed in either of two ways, and the other one follows. */
export function RuleFields(props: {
  draft: RuleDraft;
  currency: string;
  problems: Problems;
  onDraft(draft: RuleDraft): void;
}) {
  const { draft, currency, problems, onDraft } = props;
  const field = (name: Exclude<keyof RuleDraft, 'rounding' | 'rate'>) => ({
    value: draft[name],
    problem: problems[name],
    onText: (text: string) => onDraft({ ...draft, [name]: text }),
  });
  const rate = (kind: RateKind) => ({
    value: rateText(draft.rate, kind, currency),
    problem: draft.rate.kind === kind ? problems.rate : undefined,
    onText: (text: string) => onDraft({ ...draft, rate: { kind, text } }),
    inputMode: 'decimal' as const,
  });
  return (
    <div className="form">
      <fieldset className="group">
        <legend>{fields.rate}</legend>
        <div className="form-row">
          <TextField label={fields.percent} {...rate('percent')} />
          <TextField label={fields.points(money(unitOf(currency), currency))} {...rate('points')} />
        </div>
      </fieldset>
      <fieldset className="group">
        <legend>{fields.limits}</legend>
        <div className="form-row">
          <TextField label={fields.minSpend} inputMode="decimal" {...field('minSpend')} />
          <TextField
            label={fields.cap}
            hint={fields.capHint}
            inputMode="numeric"
            {...field('cap')}
          />
        </div>
        <SelectField
          label={fields.rounding}
          value={draft.rounding}
          options={ROUNDINGS.map((value) => ({ value, text: texts.rounding[value] }))}
          onValue={(rounding) => onDraft({ ...draft, rounding })}
        />
      </fieldset>
      <fieldset className="group">
        <legend>{fields.redeeming}</legend>
        <div className="form-row">
          <TextField label={fields.minBalance} inputMode="numeric" {...field('minBalance')} />
          <TextField label={fields.share} inputMode="decimal" {...field('share')} />
        </div>
      </fieldset>
      <fieldset className="group">
        <legend>{fields.start}</legend>
        <TextField
          label={fields.when}
          hint={fields.whenHint}
          type="datetime-local"
          {...field('when')}
        />
      </fieldset>
    </div>
  );
}
