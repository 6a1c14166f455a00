import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient, useTestSales } from '../shared/client.tsx';
import { Button, ButtonLink, CommandNotice, Meter, Section } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { onboardingTexts as texts } from '../texts/en/onboarding.ts';
import { useShop, wasPosterSeen } from './shop.tsx';

type Step = {
  name: keyof typeof texts.steps;
  isDone: boolean;
  /** What does it, in one press where that is possible. */
  action: ReactNode;
};

/** So many customers come by test sales: with more, a poster would not be the first step. */
const TESTERS = 1;

/** What a new shop still has to do, in its order, and why; nothing of it once all is done. */
export function Onboarding() {
  const { tenant, tenantId, posConnection, activeRule, stats } = useShop();
  const isConnected = posConnection?.status === 'active';
  const hasRule = activeRule !== null;
  const hasSale = stats.transactionCount > 0;
  const isNamed = tenant.onboarding.businessName !== undefined;
  const hasPoster = wasPosterSeen(tenantId) || stats.consumerCount > TESTERS;
  const isSetUp = isConnected && hasRule && hasSale && isNamed && hasPoster;
  const hasTeam = useHasTeam();
  if (hasTeam === undefined || (isSetUp && hasTeam)) return null;
  const go = (href: string, text: string) => (
    <ButtonLink kind="primary" href={href}>
      {text}
    </ButtonLink>
  );
  const steps: Step[] = [
    { name: 'connect', isDone: isConnected, action: go('/providers', texts.connect) },
    { name: 'name', isDone: isNamed, action: <NameShop /> },
    { name: 'rule', isDone: hasRule, action: go('/rules/new', texts.rule) },
    { name: 'sale', isDone: hasSale, action: <TestSale /> },
    { name: 'team', isDone: hasTeam, action: go('/people', texts.team) },
    { name: 'poster', isDone: hasPoster, action: go('/poster', texts.poster) },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  const progress = texts.progress(done, steps.length);
  return (
    <Section title={texts.title} action={<span className="muted">{progress}</span>}>
      <Meter value={done} max={steps.length} label={progress} />
      <ol className="items">
        {steps.map(({ name, isDone, action }) => (
          <li key={name} className={isDone ? 'step step-done' : 'step'}>
            <Icon name={isDone ? 'check' : 'chevron'} />
            <div className="step-words">
              <strong>{texts.steps[name]}</strong>
              <span className="muted">{isDone ? texts.done : texts.why[name]}</span>
            </div>
            {name === next?.name && action}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Whether somebody works at the till or is asked to; undefined until it is known. */
function useHasTeam(): boolean | undefined {
  const client = useClient();
  const { tenantId } = useShop();
  const team = useQuery({
    queryKey: ['invites', tenantId, 'any'],
    queryFn: async () => {
      const operators = await client.listStoreOperators({ tenantId, limit: 1 });
      if (operators.length > 0) return true;
      return (await client.listStoreOperatorInvites({ tenantId, limit: 1 })).length > 0;
    },
  });
  return team.isError ? false : team.data;
}

/** Rings a sale where no point of sale is a real one; elsewhere the merchant rings it at theirs. */
function TestSale() {
  const { tenantId } = useShop();
  const testSales = useTestSales();
  if (testSales === undefined) return <ButtonLink href="/transactions">{texts.sale}</ButtonLink>;
  return (
    <a
      className="button button-primary button-normal"
      href={`${testSales}/${tenantId}`}
      target="_blank"
      rel="noreferrer"
    >
      {texts.testSale}
    </a>
  );
}

/** Names the shop as its point of sale does, or leads to where it is named. */
function NameShop() {
  const client = useClient();
  const { tenantId, posConnection } = useShop();
  const name = useSubmit({
    send: (businessName: string, attempt) =>
      client.updateOnboarding({ tenantId, body: { businessName } }, attempt),
    changes: [['shops']],
  });
  const known = posConnection?.accountName ?? null;
  return (
    <div className="button-row">
      {known !== null && (
        <Button kind="primary" isRunning={name.isRunning} onClick={() => name.submit(known)}>
          {texts.callIt(known)}
        </Button>
      )}
      <ButtonLink href="/profile">{texts.name}</ButtonLink>
      <CommandNotice command={name} />
    </div>
  );
}
