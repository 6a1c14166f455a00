import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { Badge, EmptyState, ErrorNotice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { CsvButton } from '../shared/ui/csv.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/en/office.ts';
import { FoundIds } from './found-ids.tsx';
import { countryOf, nameOf, SEARCH_MAX, STATUS_KINDS } from './names.ts';
import { SearchForm, useAsked } from './search-form.tsx';
import { Avatar } from './whose.tsx';

const { people: texts, shops } = officeTexts;

/**
 * Finds people and shops by a part of what they are called, and what a code or an id is of; the
 * search is in the address.
 */
export default function PeoplePage() {
  const asked = useAsked();
  return (
    <>
      <PageTitle>{officeTexts.pages.people}</PageTitle>
      <SearchForm label={texts.search} hint={texts.hint} takesFocus />
      {asked !== '' && <Found asked={asked} />}
    </>
  );
}

function Found({ asked }: { asked: string }) {
  const client = useClient();
  const found = useQuery({
    queryKey: ['people', asked],
    queryFn: () => client.searchUsers({ q: asked }),
  });
  const named = useQuery({
    queryKey: ['shops', asked],
    queryFn: () => client.listTenants({ q: asked }),
  });
  const exact = useQuery({
    queryKey: ['ids', asked],
    queryFn: () => client.searchIds({ q: asked }),
  });
  const people = found.data;
  const tenants = named.data;
  const ids = exact.data;
  if (people === undefined || tenants === undefined || ids === undefined) {
    const error = found.error ?? named.error ?? exact.error;
    return error === null ? <Skeleton shape="rows" /> : <ErrorNotice error={error} />;
  }
  if (people.length + tenants.length + ids.length === 0) return <EmptyState title={texts.none} />;
  return (
    <>
      {ids.length > 0 && <FoundIds ids={ids} />}
      {people.length > 0 && <FoundPeople people={people} asked={asked} />}
      {tenants.length > 0 && <FoundShops tenants={tenants} />}
    </>
  );
}

function FoundPeople(props: { people: readonly Schema['FoundUser'][]; asked: string }) {
  const client = useClient();
  const { people, asked: q } = props;
  const { length } = people;
  return (
    <Section title={texts.list}>
      <p role="status">{length === SEARCH_MAX ? texts.many(length) : texts.found(length)}</p>
      <ul className="items" aria-label={texts.list}>
        {people.map((person) => (
          <li key={person.userId}>
            <FoundPerson person={person} />
          </li>
        ))}
      </ul>
      <CsvButton
        name="people"
        get={({ query: form, ...asked }) =>
          client.http.GET('/api/v1/admin/users/search', {
            params: { query: { q, ...form } },
            ...asked,
          })
        }
      />
    </Section>
  );
}

function FoundPerson({ person }: { person: Schema['FoundUser'] }) {
  const { userId, name, role, status, phone, email, shop } = person;
  const about = [texts.roles[role], shop?.name, name, email !== null && phone];
  return (
    <div className="row">
      <div className="whose">
        <Avatar person={person} />
        <div>
          <Link href={`/people/${userId}`}>{nameOf(person)}</Link>
          <p className="muted">{about.filter(Boolean).join(', ')}</p>
        </div>
      </div>
      <Badge kind={STATUS_KINDS[status]}>{texts.statuses[status]}</Badge>
    </div>
  );
}

function FoundShops({ tenants }: { tenants: readonly Schema['ListedTenant'][] }) {
  return (
    <Section title={shops.list}>
      <ul className="items" aria-label={shops.list}>
        {tenants.map(({ id, name, country, status }) => (
          <li key={id}>
            <div className="row">
              <div>
                <Link href={`/shops/${id}`}>{name}</Link>
                <p className="muted">{countryOf(country)}</p>
              </div>
              <Badge kind={STATUS_KINDS[status]}>{shops.statuses[status]}</Badge>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
