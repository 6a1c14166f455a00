import { moment, money } from '../../shared/format.ts';
import {
  ButtonLink,
  EmptyState,
  ErrorNotice,
  Notice,
  Section,
  Skeleton,
} from '../../shared/ui/basics.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { More } from '../../shared/ui/lists.tsx';
import { portalTexts } from '../../texts/en/portal.ts';
import { ruleTexts as texts } from '../../texts/en/rules.ts';
import { useShop } from '../shop.tsx';
import { Changes } from './changes.tsx';
import { historyOf, type PlacedRule, type Rule } from './history.ts';
import { useRules } from './use-rules.ts';
import { Withdraw } from './withdraw.tsx';
import { backText, changesOf, limitsOf, termsOf } from './words.ts';

/** The shop's rule: the one in effect, those to come, and what was before them. */
export default function RulesPage() {
  const { currency } = useShop();
  return (
    <>
      <PageTitle action={currency !== null && <Change />}>{portalTexts.pages.rules}</PageTitle>
      {currency === null ? (
        <EmptyState
          picture="connection"
          title={texts.needsCurrency}
          action={
            <ButtonLink kind="primary" href="/providers">
              {texts.connect}
            </ButtonLink>
          }
        />
      ) : (
        <>
          <p className="muted">{texts.lead(money(100, currency))}</p>
          <Rules currency={currency} />
        </>
      )}
    </>
  );
}

function Change() {
  const { activeRule } = useShop();
  return (
    <ButtonLink kind="primary" href="/rules/new">
      {activeRule === null ? texts.first : texts.change}
    </ButtonLink>
  );
}

function Rules({ currency }: { currency: string }) {
  const list = useRules();
  if (list.items === undefined) {
    return list.error === null ? <Skeleton /> : <ErrorNotice error={list.error} />;
  }
  const { inEffect, planned, earlier, withdrawn } = historyOf(list.items);
  if (list.items.length === 0) {
    return <EmptyState picture="programme" title={texts.empty} action={<Change />} />;
  }
  return (
    <>
      {inEffect === undefined ? (
        <Notice kind="plain">{texts.none}</Notice>
      ) : (
        <InEffect placed={inEffect} currency={currency} />
      )}
      {planned.length > 0 && (
        <Section title={texts.planned}>
          <Told
            list={planned}
            currency={currency}
            when={({ since }) => texts.from(moment(since))}
          />
          {inEffect !== undefined && <Withdraw inEffect={inEffect.rule} planned={planned} />}
        </Section>
      )}
      {earlier.length + withdrawn.length > 0 && (
        <Section title={texts.earlier}>
          <Told list={earlier} currency={currency} when={spanOf} />
          <Withdrawn rules={withdrawn} />
        </Section>
      )}
      <More list={list} />
    </>
  );
}

function InEffect({ placed, currency }: { placed: PlacedRule; currency: string }) {
  const { rule, since } = placed;
  return (
    <section className="card rule-now" aria-label={texts.inEffect}>
      <p className="muted">{texts.inEffect}</p>
      <p className="figure-value">{backText(rule.ruleConfig)}</p>
      <dl className="facts">
        {termsOf(rule.ruleConfig, currency).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {texts.since(moment(since))} {byWhom(rule)}
      </p>
      <WhatChanged placed={placed} currency={currency} />
    </section>
  );
}

function Told(props: {
  list: readonly PlacedRule[];
  currency: string;
  when(placed: PlacedRule): string;
}) {
  const { list, currency, when } = props;
  if (list.length === 0) return null;
  return (
    <ul className="items">
      {list.map((placed) => (
        <li key={placed.rule.id} className="rule">
          <div className="rule-head">
            <strong>{backText(placed.rule.ruleConfig)}</strong>
            <span className="muted">
              {when(placed)} {byWhom(placed.rule)}
            </span>
          </div>
          <p>{limitsOf(placed.rule.ruleConfig, currency).join(', ')}</p>
          <WhatChanged placed={placed} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

function WhatChanged({ placed, currency }: { placed: PlacedRule; currency: string }) {
  const { rule, before } = placed;
  if (before === undefined) return null;
  const changes = changesOf(before.ruleConfig, rule.ruleConfig, currency);
  if (changes.length === 0) return <p className="muted">{texts.same}</p>;
  return <Changes label={texts.changed} changes={changes} />;
}

function Withdrawn({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) return null;
  return (
    <ul className="items">
      {rules.map((rule) => (
        <li key={rule.id} className="rule">
          <div className="rule-head">
            <strong>{backText(rule.ruleConfig)}</strong>
            <span className="muted">{texts.withdrawn(moment(rule.ruleConfig.effectiveFrom))}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function spanOf({ since, until }: PlacedRule): string {
  return until === null ? texts.since(moment(since)) : texts.span(moment(since), moment(until));
}

function byWhom({ createdBy }: Rule): string {
  return createdBy?.email ? texts.by(createdBy.email) : '';
}
