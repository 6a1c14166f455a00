import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { officeTexts } from '../texts/en/office.ts';
import { countryOf } from './names.ts';
import { SearchForm, useAsked } from './search-form.tsx';

const { shops: texts } = officeTexts;
const { columns } = texts;

/** All shops, or those of a name, the newest first; the search is in the page's address. */
export default function ShopsPage() {
  const client = useClient();
  const asked = useAsked();
  const list = usePages(['shops', asked], () => client.all.listTenants({ q: asked }));
  return (
    <>
      <PageTitle>{officeTexts.pages.shops}</PageTitle>
      <SearchForm label={texts.search} />
      <PagedTable
        list={list}
        empty={asked === '' ? texts.empty : texts.none}
        label={texts.list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: columns.name,
            cell: ({ id, name, status }) => (
              <>
                <Link href={`/shops/${id}`}>{name}</Link>{' '}
                {status === 'suspended' && <Badge kind="bad">{texts.statuses.suspended}</Badge>}
              </>
            ),
          },
          { title: columns.country, cell: ({ country }) => countryOf(country) },
          { title: columns.providers, cell: connected },
          {
            title: columns.consumers,
            cell: ({ consumerCount }) => number(consumerCount),
            isNumber: true,
          },
          { title: columns.since, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
        ]}
      />
    </>
  );
}

function connected({ connections }: Schema['ListedTenant']): string {
  const active = connections.filter(({ status }) => status === 'active');
  const names = new Set(active.map(({ posType }) => providers[posType].label));
  return names.size === 0 ? texts.noProvider : [...names].join(', ');
}
