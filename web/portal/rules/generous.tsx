import { decimal, money, unitOf } from '../../shared/format.ts';
import { Notice } from '../../shared/ui/basics.tsx';
import { FormDialog } from '../../shared/ui/dialog.tsx';
import type { Command } from '../../shared/use-submit.ts';
import { ruleTexts } from '../../texts/en/rules.ts';
import { costOf, type KnownSales } from './cost.ts';
import { exampleOf, percentOf, type RuleTerms } from './draft.ts';

const { generous: texts } = ruleTexts;
const EXAMPLE_UNITS = 100;

/** Asks once more before a rule is published that gives back a lot. */
export function Generous(props: {
  /** What is to be published; undefined while nothing is asked. */
  terms: RuleTerms | undefined;
  currency: string;
  known: KnownSales | undefined;
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
  const amount = EXAMPLE_UNITS * unitOf(currency);
  return texts.what(money(amount, currency), money(exampleOf(terms, amount), currency));
}
