import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { earningText } from '../shared/earning.ts';
import { moment, number } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { countryOf, STATUS_KINDS } from './names.ts';
import { ShopCommands } from './shop-commands.tsx';

const { shop: texts, shops, connections: states } = officeTexts;

type Detail = Schema['TenantDetail'];

/** One shop: whose it is, what it is connected to, and whether sales come in. */
export default function ShopPage() {
  const client = useClient();
  const { tenantId = '' } = useParams();
  const [done, setDone] = useState<string>();
  const shop = useQuery({
    queryKey: ['shop', tenantId],
    queryFn: () => client.showTenantDetail({ tenantId }),
  });
  if (shop.data === undefined) {
    return shop.error === null ? <Skeleton /> : <ErrorNotice error={shop.error} />;
  }
  const { tenant } = shop.data;
  return (
    <>
      <PageTitle back={{ href: '/shops', text: officeTexts.pages.shops }}>{tenant.name}</PageTitle>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <dl className="facts card">
        {factsOf(shop.data).map(([title, fact]) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
      <ShopCommands shop={tenant} onDone={setDone} />
      <p>
        <Link href={`/audit?target=${tenantId}`}>{texts.audit}</Link>
      </p>
    </>
  );
}

function factsOf(shop: Detail): [string, ReactNode][] {
  const { tenant, stats, activeRule } = shop;
  return [
    [
      texts.status,
      <Badge key="status" kind={STATUS_KINDS[tenant.status]}>
        {shops.statuses[tenant.status]}
      </Badge>,
    ],
    [texts.owner, ownerOf(shop)],
    [texts.country, countryOf(tenant.country)],
    [texts.currency, tenant.currency ?? shops.unknown],
    [texts.provider, <Connections key="provider" shop={shop} />],
    [texts.rule, ruleOf(activeRule, tenant.currency)],
    [texts.consumers, number(stats.consumerCount)],
    [texts.transactions, number(stats.transactionCount)],
    [texts.lastSale, lastSaleOf(shop)],
    [texts.lastError, lastErrorOf(shop)],
  ];
}

function ownerOf({ owner }: Detail): ReactNode {
  if (owner === null) return texts.noOwner;
  return <Link href={`/people/${owner.userId}`}>{owner.email ?? officeTexts.people.nameless}</Link>;
}

function Connections({ shop: { connections } }: { shop: Detail }) {
  if (connections.length === 0) return shops.noProvider;
  return connections.map(({ id, posType, accountName, status, needsReconnectSince }) => (
    <p key={id}>
      {providers[posType].label}
      {accountName !== null && `, ${texts.account(accountName)}`}{' '}
      <ConnectionBadge status={status} isLost={needsReconnectSince !== null} />
    </p>
  ));
}

function ConnectionBadge(props: { status: keyof typeof states; isLost: boolean }) {
  const { status, isLost } = props;
  // What was disconnected is not waited for, even if it was lost before.
  if (isLost && status === 'active') return <Badge kind="bad">{shops.reconnect}</Badge>;
  return <Badge kind={status === 'active' ? 'good' : 'plain'}>{states[status]}</Badge>;
}

function ruleOf(rule: Detail['activeRule'], currency: string | null): string {
  return earningText(rule === null ? null : rule.ruleConfig, currency);
}

function lastSaleOf({ lastIngest }: Detail): string {
  if (lastIngest === null) return texts.noSale;
  const { provider, outcome, at } = lastIngest;
  return `${moment(at)}, ${providers[provider].label}, ${texts.outcomes[outcome]}`;
}

function lastErrorOf({ lastError }: Detail): string {
  if (lastError === null) return texts.noError;
  const { provider, message, at } = lastError;
  return `${moment(at)}, ${providers[provider].label}: ${message}`;
}
