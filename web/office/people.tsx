import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { Badge, Button, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/office.ts';
import { nameOf, STATUS_KINDS } from './names.ts';

const { people: texts } = officeTexts;
/** So many people one search returns at most. */
const SEARCH_MAX = 50;

/** Finds people by a part of their address or number; the search is in the page's address. */
export default function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const asked = params.get('q') ?? '';
  const [text, setText] = useState(asked);
  const search = (event: FormEvent) => {
    event.preventDefault();
    setParams(text.trim() === '' ? {} : { q: text.trim() });
  };
  return (
    <>
      <PageTitle>{officeTexts.pages.people}</PageTitle>
      <form className="search" onSubmit={search}>
        <TextField
          label={texts.search}
          hint={texts.hint}
          type="search"
          autoComplete="off"
          maxLength={320}
          value={text}
          onText={setText}
        />
        <Button type="submit" kind="primary">
          {texts.submit}
        </Button>
      </form>
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
  if (found.data === undefined) {
    return found.error === null ? <Skeleton /> : <ErrorNotice error={found.error} />;
  }
  const { length } = found.data;
  if (length === 0) return <p className="empty">{texts.none}</p>;
  return (
    <>
      <p role="status">{length === SEARCH_MAX ? texts.many(length) : texts.found(length)}</p>
      <ul className="items" aria-label={texts.list}>
        {found.data.map((person) => (
          <li key={person.userId}>
            <FoundPerson person={person} />
          </li>
        ))}
      </ul>
    </>
  );
}

function FoundPerson({ person }: { person: Schema['FoundUser'] }) {
  const { userId, role, status, phone, email } = person;
  return (
    <div className="row">
      <div>
        <Link href={`/people/${userId}`}>{nameOf(person)}</Link>
        <p className="muted">
          {texts.roles[role]}
          {email !== null && phone !== null && `, ${phone}`}
        </p>
      </div>
      <Badge kind={STATUS_KINDS[status]}>{texts.statuses[status]}</Badge>
    </div>
  );
}
