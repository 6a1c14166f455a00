import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { ago, day, number } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { officeTexts } from '../texts/en/office.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { countryOf } from './names.ts';
import { SearchForm, useAsked } from './search-form.tsx';

const { shops: texts } = officeTexts;
const { columns } = texts;

type Shop = Schema['ListedTenant'];

/** All shops, or those of a name; what needs attention is first. The search is in the address. */
export default function ShopsPage() {
  const client = useClient();
  const asked = useAsked();
  const list = usePages(['shops', asked], () => client.all.listTenants({ q: asked }));
  return (
    <>
      <PageTitle>{officeTexts.pages.shops}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <SearchForm label={texts.search} />
      <PagedTable
        list={list}
        empty={asked === '' ? texts.empty : texts.none}
        label={texts.list}
        keyOf={({ id }) => id}
        columns={[
          { title: columns.name, cell: (shop) => <Name shop={shop} /> },
          { title: columns.heard, cell: (shop) => <Heard shop={shop} /> },
          { title: columns.sales, cell: salesOf },
          { title: columns.deliveries, cell: deliveriesOf },
          {
            title: columns.consumers,
            cell: ({ consumerCount }) => number(consumerCount),
            isNumber: true,
          },
        ]}
      />
    </>
  );
}

function Name({ shop: { id, name, country, status, createdAt } }: { shop: Shop }) {
  return (
    <>
      <Link href={`/shops/${id}`}>{name}</Link>{' '}
      {status === 'suspended' && <Badge kind="bad">{texts.statuses.suspended}</Badge>}
      <p className="muted">{texts.since(countryOf(country), day(createdAt))}</p>
    </>
  );
}

function Heard({ shop: { connections } }: { shop: Shop }) {
  const now = useServiceClock().now();
  const active = connections.filter(({ status }) => status === 'active');
  if (active.length === 0) return texts.noProvider;
  return active.map(({ posType, lastHeardAt, needsReconnect, isSilent }) => (
    <p key={posType}>
      {texts.heard(
        providers[posType].label,
        lastHeardAt === null ? texts.never : ago(lastHeardAt, now),
      )}{' '}
      {needsReconnect && <Badge kind="bad">{texts.reconnect}</Badge>}
      {isSilent && !needsReconnect && <Badge kind="warn">{texts.silent}</Badge>}
    </p>
  ));
}

function salesOf({ lastDay: { credited, notCredited } }: Shop): ReactNode {
  if (credited === 0 && notCredited.length === 0) return texts.noSales;
  return (
    <>
      <p>{texts.withPoints(number(credited))}</p>
      {notCredited.map(({ reason, count }) => (
        <p key={reason} className="muted">
          {texts.because(number(count), reasonOf(reason))}
        </p>
      ))}
    </>
  );
}

function reasonOf(code: string): string {
  const words = { ...saleTexts.outcomes, ...saleTexts.reasons };
  return Object.entries(words).find(([name]) => name === code)?.[1] ?? code;
}

function deliveriesOf({ deliveries: { waiting, disabledEndpoints } }: Shop): ReactNode {
  return (
    <>
      {waiting > 0 ? texts.waiting(number(waiting)) : texts.noneWaiting}{' '}
      {disabledEndpoints > 0 && <Badge kind="bad">{texts.switchedOff}</Badge>}
    </>
  );
}
