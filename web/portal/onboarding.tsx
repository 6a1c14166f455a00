import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button, ButtonLink, CommandNotice, Meter, Section } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { onboardingTexts as texts } from '../texts/en/onboarding.ts';
import { useShop } from './shop.tsx';

type Step = {
  name: keyof typeof texts.steps;
  isDone: boolean;
  /** What does it, in one press where that is possible. */
  action: ReactNode;
};

/** What a new shop still has to do, in its order, and why; nothing of it once all is done. */
export function Onboarding() {
  const { tenant, posConnection, activeRule, stats } = useShop();
  const isConnected = posConnection?.status === 'active';
  const hasRule = activeRule !== null;
  const hasSale = stats.transactionCount > 0;
  const isNamed = tenant.onboarding.businessName !== undefined;
  const isSetUp = isConnected && hasRule && hasSale && isNamed;
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
    { name: 'sale', isDone: hasSale, action: go('/transactions', texts.sale) },
    { name: 'team', isDone: hasTeam, action: go('/people', texts.team) },
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
    queryKey: ['operators', tenantId, 'any'],
    queryFn: async () => {
      const operators = await client.listStoreOperators({ tenantId, limit: 1 });
      if (operators.length > 0) return true;
      return (await client.listStoreOperatorInvites({ tenantId, limit: 1 })).length > 0;
    },
  });
  return team.isError ? false : team.data;
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
