import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { ErrorNotice, Moment, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { officeTexts } from '../texts/office.ts';
import { Approve } from './approve.tsx';
import { nameOf } from './names.ts';

const { approvals: texts, people } = officeTexts;
/** So many people one search returns at most. */
const SEARCH_MAX = 50;

/** Those who wait until an administrator lets them in. */
export function ApprovalsPage() {
  const client = useClient();
  const [approved, setApproved] = useState<string>();
  const waiting = useQuery({
    queryKey: ['people', ''],
    queryFn: () => client.searchUsers({ q: '' }),
    select: (found) => found.filter(({ status }) => status === 'pending_approval'),
  });
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      <p className="muted">{texts.lead}</p>
      {approved !== undefined && <Notice kind="good">{officeTexts.approve.done(approved)}</Notice>}
      <ErrorNotice error={waiting.error} retry={waiting.refetch} />
      {waiting.data === undefined && waiting.error === null && <Skeleton />}
      {waiting.data?.length === 0 && <p className="empty">{texts.empty}</p>}
      {waiting.data !== undefined && waiting.data.length > 0 && (
        <ul className="items" aria-label={texts.list}>
          {waiting.data.map((person) => (
            <li key={person.userId}>
              <Waiting person={person} onApproved={setApproved} />
            </li>
          ))}
        </ul>
      )}
      {waiting.data?.length === SEARCH_MAX && <p className="muted">{texts.many(SEARCH_MAX)}</p>}
    </>
  );
}

function Waiting(props: { person: Schema['FoundUser']; onApproved(who: string): void }) {
  const { person, onApproved } = props;
  return (
    <div className="row">
      <div>
        <Link href={`/people/${person.userId}`}>{nameOf(person)}</Link>
        <p className="muted">
          {people.roles[person.role]}, {texts.since} <Moment iso={person.createdAt} />
        </p>
      </div>
      <Approve person={person} onDone={() => onApproved(nameOf(person))} />
    </div>
  );
}
