import { useQuery } from '@tanstack/react-query';
import { useClient, useProfile } from '../../shared/client.tsx';
import { money, unitOf } from '../../shared/format.ts';
import { Notice } from '../../shared/ui/basics.tsx';
import { FormDialog } from '../../shared/ui/dialog.tsx';
import type { Command } from '../../shared/use-submit.ts';
import { ruleTexts } from '../../texts/en/rules.ts';
import { useShop } from '../shop.tsx';
import { costOf, type KnownSales } from './cost.ts';
import { exampleOf, multipliedBy, percentOf, type RuleTerms } from './draft.ts';
import { percentText } from './words.ts';

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

/** By how much the best of tiers multiplies points; 0 without tiers, which give nothing. */
export function bestOf(tiers: readonly { multiplier: number }[] = []): number {
  return Math.max(0, ...tiers.map(({ multiplier }) => multiplier));
}

/** By how much the programme in effect multiplies points at most. */
export function useMostTimes() {
  const client = useClient();
  const { tenantId } = useShop();
  const { data: profile } = useProfile();
  return useQuery({
    queryKey: ['programme', tenantId],
    queryFn: async () => {
      if (profile?.hasProgrammes !== true) return 1;
      const [active] = await client.listProgrammeVersions({ tenantId, limit: 1 });
      return Math.max(1, bestOf(active?.tiers));
    },
  });
}

/** Asks once more before something is published that gives back a lot. */
export function Generous(props: {
  /** By what customers would earn; undefined while nothing is asked. */
  terms: RuleTerms | undefined;
  currency: string;
  /** The sales of which it says what they would cost, if all of them would earn by it. */
  known?: KnownSales | undefined;
  /** For whom that is, if not for everybody. */
  who?: string | undefined;
  publish: Command & { submit(): void };
  onClose(): void;
}) {
  const { terms, currency, known, who, publish } = props;
  const percent = terms === undefined ? '' : percentText(percentOf(terms));
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
          {who !== undefined && <p>{who}</p>}
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
