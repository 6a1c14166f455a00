import type { components } from '../../../sdk/index.ts';

export type Rule = components['schemas']['RewardRule'];

/** A rule with its time: since when it is or was in effect, until when, and what it replaced. */
export type PlacedRule = {
  rule: Rule;
  since: string;
  /** When another one took its place; null while none is to. */
  until: string | null;
  /** The rule that was in effect before it; undefined for the first, or if it is not known. */
  before: Rule | undefined;
};

export type RuleHistory = {
  inEffect: PlacedRule | undefined;
  /** Those to come, the next one first. */
  planned: PlacedRule[];
  /** Those that were in effect, the last one first. */
  earlier: PlacedRule[];
  /** Those that another one replaced before their date. */
  withdrawn: Rule[];
};

/**
 * Tells the story of a shop's rules from their list, newest first: the last published rule whose
 * date has come is in effect, so that one whose date comes after that of a later one never is.
 */
export function historyOf(rules: readonly Rule[]): RuleHistory {
  const placed: PlacedRule[] = [];
  const withdrawn: Rule[] = [];
  let until: string | null = null;
  for (const rule of rules) {
    const since = startOf(rule);
    if (until !== null && since >= until) {
      withdrawn.push(rule);
    } else {
      placed.push({ rule, since, until, before: undefined });
      until = since;
    }
  }
  const told = placed.map((each, at) => ({ ...each, before: placed[at + 1]?.rule }));
  return {
    inEffect: told.find(({ rule }) => rule.status === 'in_effect'),
    planned: told.filter(({ rule }) => rule.status === 'scheduled').reverse(),
    earlier: told.filter(({ rule }) => rule.status === 'superseded'),
    withdrawn,
  };
}

/** What the rule in effect of a list says, as `historyOf` takes it; undefined without one. */
export function termsInEffect(rules: readonly Rule[]): Rule['ruleConfig'] | undefined {
  return historyOf(rules).inEffect?.rule.ruleConfig;
}

/** A rule with a date in the past counts from its publication on. */
function startOf({ createdAt, ruleConfig: { effectiveFrom } }: Rule): string {
  return createdAt > effectiveFrom ? createdAt : effectiveFrom;
}
