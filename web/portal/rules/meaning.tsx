import { day, money, unitOf } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import { ruleTexts as texts } from '../../texts/en/rules.ts';
import { Changes } from './changes.tsx';
import { type Cost as CostOfSales, costOf, type KnownSales } from './cost.ts';
import { exampleOf, type RuleTerms } from './draft.ts';
import type { PlacedRule } from './history.ts';
import { backText, type Change } from './words.ts';

/** What a rule means before it is published: for a sale, for a month, and beside the last one. */
export function Meaning(props: {
  terms: RuleTerms;
  currency: string;
  inEffect: RuleTerms | undefined;
  /** What differs from the rule in effect; undefined while none is. */
  changes: readonly Change[] | undefined;
  planned: readonly PlacedRule[];
  known: KnownSales | undefined;
}) {
  const { terms, currency, inEffect, changes, planned, known } = props;
  return (
    <div className="meaning" aria-live="polite">
      <p className="figure-value">{backText(terms)}</p>
      <Examples terms={terms} currency={currency} />
      {known !== undefined && (
        <div>
          <h3>{texts.cost.title}</h3>
          {known.count === 0 ? (
            <p>{texts.cost.none}</p>
          ) : (
            <Cost terms={terms} inEffect={inEffect} currency={currency} known={known} />
          )}
        </div>
      )}
      {changes?.length === 0 && <p className="muted">{texts.nothingChanges}</p>}
      {changes !== undefined && changes.length > 0 && (
        <Changes label={texts.changes} changes={changes} />
      )}
      {planned.length > 0 && changes?.length !== 0 && (
        <p>{texts.replacesPlanned(planned.map(({ since }) => day(since)).join(', '))}</p>
      )}
    </div>
  );
}

function Examples({ terms, currency }: { terms: RuleTerms; currency: string }) {
  const unit = unitOf(currency);
  return (
    <ul className="examples">
      {[1, 12.5, 100].map((units) => {
        const amount = Math.round(units * unit);
        const points = exampleOf(terms, amount);
        const earned = pointsText(points);
        const worth = money(points, currency);
        return <li key={units}>{texts.example(money(amount, currency), earned, worth)}</li>;
      })}
    </ul>
  );
}

function Cost(props: {
  terms: RuleTerms;
  inEffect: RuleTerms | undefined;
  currency: string;
  known: KnownSales;
}) {
  const { terms, inEffect, currency, known } = props;
  const { cost: words } = texts;
  const cost = costOf(terms, known);
  const former = inEffect && costOf(inEffect, known);
  const given = money(cost.minorUnits, currency);
  return (
    <>
      <p>{words.paid(money(known.amountMinorUnits, currency))}</p>
      <p>
        <strong>{cost.isAtMost ? words.wouldAtMost(given) : words.would(given)}</strong>
      </p>
      {former !== undefined && <p>{comparison(cost, former, currency)}</p>}
    </>
  );
}

/** By how much two rules differ; two limits do not say that, and stand beside each other. */
function comparison(cost: CostOfSales, former: CostOfSales, currency: string): string {
  const { cost: words } = texts;
  const before = money(former.minorUnits, currency);
  if (former.isAtMost) return words.formerAtMost(before);
  if (cost.isAtMost) return words.former(before);
  const more = cost.minorUnits - former.minorUnits;
  if (more === 0) return words.equal;
  const amount = money(Math.abs(more), currency);
  return more > 0 ? words.more(amount) : words.less(amount);
}
