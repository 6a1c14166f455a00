import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, Button, Moment } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { officeTexts } from '../texts/office.ts';
import { countryOf } from './names.ts';

const { shops: texts } = officeTexts;
const { columns } = texts;

/** All shops, or those of a name, the newest first; the search is in the page's address. */
export default function ShopsPage() {
  const client = useClient();
  const [params, setParams] = useSearchParams();
  const asked = params.get('q') ?? '';
  const [text, setText] = useState(asked);
  const list = usePages(['shops', asked], () => client.all.listTenants({ q: asked }));
  const search = (event: FormEvent) => {
    event.preventDefault();
    setParams(text.trim() === '' ? {} : { q: text.trim() });
  };
  return (
    <>
      <PageTitle>{officeTexts.pages.shops}</PageTitle>
      <form className="search" onSubmit={search}>
        <TextField
          label={texts.search}
          type="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onText={setText}
        />
        <Button type="submit" kind="primary" icon="search">
          {officeTexts.people.submit}
        </Button>
      </form>
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
