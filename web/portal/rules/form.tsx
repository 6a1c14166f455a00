import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient, useProfile } from '../../shared/client.tsx';
import {
  Button,
  CommandNotice,
  EmptyState,
  ErrorNotice,
  Skeleton,
} from '../../shared/ui/basics.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { useDraft } from '../../shared/use-draft.ts';
import { useSubmit } from '../../shared/use-submit.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import { ruleTexts as texts } from '../../texts/en/rules.ts';
import { useShop } from '../shop.tsx';
import { draftOf, FIRST_DRAFT, type RuleTerms, readDraft } from './draft.ts';
import { RuleFields } from './fields.tsx';
import { Generous, generousTerms, useMostTimes } from './generous.tsx';
import { historyOf, type RuleHistory } from './history.ts';
import { useKnownSales } from './known-sales.ts';
import { Meaning } from './meaning.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { useRules } from './use-rules.ts';
import { changesOf } from './words.ts';

const BACK = { href: '/rules', text: portalTexts.pages.rules };

/** Changes the shop's rule, and says what that costs before it is published. */
export default function RuleFormPage() {
  const { currency } = useShop();
  const rules = useRules();
  const most = useMostTimes();
  const history = rules.items && historyOf(rules.items);
  const title = rules.items?.length === 0 ? texts.firstTitle : texts.change;
  return (
    <>
      <PageTitle back={BACK}>{title}</PageTitle>
      <ErrorNotice error={rules.error} retry={rules.refetch} />
      <ErrorNotice error={most.error} retry={most.refetch} />
      {currency === null && <EmptyState picture="connection" title={texts.needsCurrency} />}
      {(rules.isPending || most.isPending) && <Skeleton />}
      {currency !== null && history !== undefined && most.data !== undefined && (
        <RuleForm currency={currency} history={history} most={most.data} />
      )}
    </>
  );
}

type Publication = RuleTerms & { effectiveFrom?: string };

function RuleForm(props: {
  currency: string;
  history: RuleHistory;
  /** By how much a tier multiplies the points of the rule at most. */
  most: number;
}) {
  const { currency, history, most } = props;
  const client = useClient();
  const { tenantId } = useShop();
  const [, navigate] = useLocation();
  const say = useToast();
  const inEffect = history.inEffect?.rule.ruleConfig;
  const [draft, setDraft] = useDraft(`rule.${tenantId}`, () => draftFrom(history, currency));
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState<Publication>();
  const known = useKnownSales();
  const { data: profile } = useProfile();
  const publish = useSubmit({
    send: (body: Publication, attempt) => client.publishRewardRule({ tenantId, body }, attempt),
    changes: [['rules'], ['shops']],
    onDone: () => {
      say(texts.published);
      // Whoever sets a shop up goes on with the next step.
      navigate(inEffect === undefined ? '/' : '/rules');
    },
  });
  const read = readDraft(draft, currency);
  const terms = 'terms' in read ? read.terms : undefined;
  const changes = terms && inEffect && changesOf(inEffect, terms, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if ('problems' in read) return;
    const { effectiveFrom } = read;
    const rule = { ...read.terms, ...(effectiveFrom !== undefined && { effectiveFrom }) };
    if (generousTerms(rule, most) !== undefined) setAsked(rule);
    else publish.submit(rule);
  };
  return (
    <>
      <form className="rule-form" onSubmit={submit}>
        <RuleFields
          draft={draft}
          currency={currency}
          problems={isChecked && 'problems' in read ? read.problems : {}}
          onDraft={setDraft}
        />
        <section className="card" aria-label={texts.meaning}>
          <h2>{texts.meaning}</h2>
          {terms !== undefined && (
            <Meaning {...{ terms, currency, inEffect, changes, known }} planned={history.planned} />
          )}
          {asked === undefined && <CommandNotice command={publish} />}
          <Button
            type="submit"
            kind="primary"
            disabled={changes?.length === 0}
            isRunning={publish.isRunning}
          >
            {draft.when === '' ? texts.submit : texts.plan}
          </Button>
        </section>
      </form>
      {terms !== undefined && changes?.length !== 0 && profile?.hasProgrammes === true && (
        <Rehearsal terms={terms} currency={currency} />
      )}
      <Generous
        terms={generousTerms(asked, most)}
        currency={currency}
        {...(most > 1 ? { who: texts.generous.best } : { known })}
        publish={{ ...publish, submit: () => asked && publish.submit(asked) }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

/** Begins with what is in effect, else with what is to be, else with what many shops give. */
function draftFrom({ inEffect, planned: [next] }: RuleHistory, currency: string) {
  const rule = inEffect?.rule ?? next?.rule;
  return rule === undefined ? FIRST_DRAFT : draftOf(rule.ruleConfig, currency);
}
