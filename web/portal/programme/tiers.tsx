import { Button } from '../../shared/ui/basics.tsx';
import { TextField } from '../../shared/ui/fields.tsx';
import { programmeTexts } from '../../texts/en/programme.ts';
import type { RuleTerms } from '../rules/draft.ts';
import { multipliedText } from '../rules/words.ts';
import { MOST_TIERS, newTier, type TierDraft, type TierProblems } from './draft.ts';

const { tiers: texts } = programmeTexts;

/** The tiers of a shop, each with its fields: one more can be added, and each be removed. */
export function TierFields(props: {
  tiers: readonly TierDraft[];
  currency: string | null;
  /** The rule in effect. */
  rule: RuleTerms | undefined;
  /** By the ids of the tiers. */
  problems: Readonly<Record<string, TierProblems>>;
  onTiers(tiers: readonly TierDraft[]): void;
}) {
  const { tiers, currency, rule, problems, onTiers } = props;
  return (
    <fieldset className="group tiers">
      <legend>{texts.title}</legend>
      <p className="hint">{currency === null ? texts.needsCurrency : texts.what}</p>
      {currency !== null && tiers.length > 0 && <p className="hint">{texts.changes}</p>}
      {currency !== null &&
        tiers.map((tier, nth) => (
          <OneTier
            key={tier.id}
            tier={tier}
            rule={rule}
            nth={nth + 1}
            problems={problems[tier.id] ?? {}}
            onTier={(changed) => onTiers(tiers.map((one) => (one === tier ? changed : one)))}
            onRemove={() => onTiers(tiers.filter((one) => one !== tier))}
          />
        ))}
      {currency !== null && tiers.length < MOST_TIERS && (
        <div>
          <Button icon="plus" onClick={() => onTiers([...tiers, newTier()])}>
            {texts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function OneTier(props: {
  tier: TierDraft;
  rule: RuleTerms | undefined;
  nth: number;
  problems: TierProblems;
  onTier(tier: TierDraft): void;
  onRemove(): void;
}) {
  const { tier, rule, nth, problems, onTier, onRemove } = props;
  const field = (name: keyof TierProblems) => ({
    value: tier[name],
    problem: problems[name],
    onText: (text: string) => onTier({ ...tier, [name]: text }),
  });
  return (
    <fieldset className="tier">
      <legend>{texts.nth(nth)}</legend>
      <div className="tier-row">
        <TextField label={texts.name} maxLength={40} {...field('name')} />
        <TextField label={texts.threshold} inputMode="decimal" {...field('threshold')} />
        <TextField
          label={texts.multiplier}
          hint={multipliedText(rule, tier.multiplier)}
          inputMode="decimal"
          {...field('multiplier')}
        />
      </div>
      <div>
        <Button size="small" onClick={onRemove}>
          {texts.remove(tier.name.trim() || texts.nth(nth))}
        </Button>
      </div>
    </fieldset>
  );
}
