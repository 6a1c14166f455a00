import { decimal, money, unitOf } from '../../shared/format.ts';
import { Notice } from '../../shared/ui/basics.tsx';
import { FormDialog } from '../../shared/ui/dialog.tsx';
import type { Command } from '../../shared/use-submit.ts';
import { ruleTexts } from '../../texts/en/rules.ts';
import { costOf, type KnownSales } from './cost.ts';
import { exampleOf, multipliedBy, percentOf, type RuleTerms } from './draft.ts';

const { generous: texts } = ruleTexts;
const EXAMPLE_UNITS = 100;
/** What gives back more than this, in percent, is confirmed with a second press. */
const GENEROUS_PERCENT = 20;

/**
 * A rule whose points are multiplied, if that gives back so much that it is asked about once more;
 * undefined if it does not.
 */
export function generousTerms(rule: RuleTerms | undefined, factor: number): RuleTerms | undefined {
  if (rule === undefined) return undefined;
  const terms = multipliedBy(rule, factor);
  return percentOf(terms) > GENEROUS_PERCENT ? terms : undefined;
}

/** Asks once more before something is published that gives back a lot. */
export function Generous(props: {
  /** By what customers would earn; undefined while nothing is asked. */
  terms: RuleTerms | undefined;
  currency: string;
  /** The sales of which it says what they would cost, if all of them would earn by it. */
  known?: KnownSales | undefined;
  publish: Command & { submit(): void };
  onClose(): void;
}) {
  const { terms, currency, known, publish } = props;
  const percent = terms === undefined ? '' : decimal(percentOf(terms));
  return (
    <FormDialog
      isOpen={terms !== undefined}
      onClose={props.onClose}
      title={texts.title(percent)}
      submit={texts.submit(percent)}
      close={texts.close}
      kind="danger"
      command={publish}
      onSubmit={publish.submit}
    >
      {terms !== undefined && (
        <Notice kind="bad">
          <p>{exampleText(terms, currency)}</p>
          {known !== undefined && known.count > 0 && (
            <p>{texts.cost(money(costOf(terms, known).minorUnits, currency))}</p>
          )}
        </Notice>
      )}
    </FormDialog>
  );
}

function exampleText(terms: RuleTerms, currency: string): string {
  // Of a smaller sale it would say that nothing is given.
  const amount = Math.max(EXAMPLE_UNITS * unitOf(currency), terms.minSpendMinorUnits);
  return texts.what(money(amount, currency), money(exampleOf(terms, amount), currency));
}
